// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of a namespace, whole units.
 *
 * @param position of the first one
 * @param bytes how many
 */
record DataRange(long position, long bytes) {
    long end() {
        return position + bytes;
    }

    /**
     * The same bytes with neighbours as one range.
     *
     * @param ranges in their order, none of which overlap
     */
    static List<DataRange> merged(List<DataRange> ranges) {
        List<DataRange> merged = new ArrayList<>();
        for (DataRange each : ranges) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).end() == each.position) {
                DataRange before = merged.get(last);
                merged.set(last, new DataRange(before.position, before.bytes + each.bytes));
            } else {
                merged.add(each);
            }
        }
        return merged;
    }
}
