// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.spark.basic.PrimitiveArrays;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/**
 * Java's serialisation, with large arrays of primitives apart from the stream of objects, wherever
 * they are in the value: the stream would carry them in pieces of a kilobyte, copied twice. An
 * array that is met several times is stored once, as in the stream. Belongs to one thread.
 */
final class ArrayObjectOutput extends ObjectOutputStream {
    /** From this size on an array is stored apart. */
    static final int LARGE = 16 << 10;

    private final ChunkWriter arrays;

    ArrayObjectOutput(OutputStream objects, ChunkWriter arrays) throws IOException {
        super(objects);
        this.arrays = arrays;
        enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) throws IOException {
        if (!PrimitiveArrays.isOne(object) || PrimitiveArrays.size(object) < LARGE) {
            return object;
        }
        arrays.writeArray(object);
        return DetachedArray.of(object);
    }
}
