// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Records of a fixed size, with the settings as they are shipped. */
class FixedSizeTest extends FixedSizeContract {
    @Override
    Map<String, String> settings() {
        return Map.of();
    }
}
