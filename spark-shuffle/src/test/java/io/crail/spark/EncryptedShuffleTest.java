// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.util.Map;

/** Encrypted, which forbids to append one stream to another. */
class EncryptedShuffleTest extends ShuffleContract {
    /** Spark's ciphers take milliseconds to set up. */
    @Override
    int manyPartitions() {
        return 1_000;
    }

    @Override
    Map<String, String> settings() {
        return Map.of(
                "spark.io.encryption.enabled", "true",
                "spark.serializer", "org.apache.spark.serializer.KryoSerializer",
                "spark.crail.shuffle.write.maxStreams", "6",
                "spark.crail.shuffle.write.bufferSize", "64k");
    }
}
