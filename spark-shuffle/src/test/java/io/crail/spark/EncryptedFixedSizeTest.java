// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Encrypted, also what is spilled, and there is hardly any memory. */
class EncryptedFixedSizeTest extends FixedSizeContract {
    @Override
    Map<String, String> settings() {
        return Map.of("spark.io.encryption.enabled", "true", "spark.memory.fraction", "0.0005");
    }

    @Override
    boolean spills() {
        return true;
    }
}
