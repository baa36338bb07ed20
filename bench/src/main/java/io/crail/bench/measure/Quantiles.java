// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Times that a half, 99 and 99.9 percent of all operations did not exceed, in microseconds.
 *
 * @param p50 the median
 * @param p99 of 99 percent
 * @param p999 of 99.9 percent
 */
public record Quantiles(double p50, double p99, double p999) {
    /** As an object for JSON. */
    public Map<String, Double> json() {
        Map<String, Double> json = new LinkedHashMap<>();
        json.put("p50", p50);
        json.put("p99", p99);
        json.put("p999", p999);
        return json;
    }
}
