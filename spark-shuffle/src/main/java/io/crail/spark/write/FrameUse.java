// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.spark.frame.FrameCodec;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkConf;

/** When frames take the place of Spark's own streams. */
final class FrameUse {
    private static final String COMPRESS = "spark.shuffle.compress";
    private static final String CODEC = "spark.io.compression.codec";
    private static final String BLOCK_SIZE = "spark.io.compression.lz4.blockSize";
    private static final String LZ4 = "lz4";
    private static final String LZ4_CLASS = "org.apache.spark.io.LZ4CompressionCodec";

    private FrameUse() {}

    /**
     * The codec of an application whose shuffles are not encrypted, and compressed by LZ4 or not at
     * all; empty for all others, whose streams are made by Spark. If the application says nothing,
     * and Spark would compress, only what pays is compressed.
     *
     * @param pays whether it does just now
     */
    static Optional<FrameCodec> of(SparkConf conf, boolean encrypted, BooleanSupplier pays) {
        boolean compressed = conf.getBoolean(COMPRESS, true);
        if (encrypted || (compressed && !isLz4(conf.get(CODEC, LZ4)))) {
            return Optional.empty();
        }
        return Optional.of(
                new FrameCodec(
                        conf.getSizeAsBytes(BLOCK_SIZE, "32k"),
                        conf.contains(COMPRESS) ? () -> compressed : pays));
    }

    private static boolean isLz4(String codec) {
        return codec.equals(LZ4_CLASS) || codec.toLowerCase(Locale.ROOT).equals(LZ4);
    }
}
