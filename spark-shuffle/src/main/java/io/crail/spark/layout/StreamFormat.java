// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.layout;

/** How the bytes of the streams of a map output were made. */
public enum StreamFormat {
    /** As Spark wraps them: compressed and encrypted by its codecs, or neither. */
    SPARK(0),

    /** In frames, compressed by LZ4 or raw, see {@code io.crail.spark.frame}. */
    LZ4_FRAMES(1);

    private final int code;

    StreamFormat(int code) {
        this.code = code;
    }

    /** What stands for it in a file. */
    int code() {
        return code;
    }
}
