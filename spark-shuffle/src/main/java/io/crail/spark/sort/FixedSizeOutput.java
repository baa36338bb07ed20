// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.spark.serializer.SerializationStream;
import scala.reflect.ClassTag;

/** Writes keys and values by turns. Belongs to one thread. */
final class FixedSizeOutput<K, V> extends SerializationStream {
    private static final int USUAL = 8192;

    private final RecordFormat<K, V> format;
    private final OutputStream target;
    private final byte[] collected;
    private int length;

    FixedSizeOutput(RecordFormat<K, V> format, OutputStream target) {
        this.format = format;
        this.target = target;
        this.collected = new byte[Math.max(USUAL, format.recordLength())];
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
        makeRoom(format.keyLength());
        format.writeKey((K) key, collected, length);
        length += format.keyLength();
        return this;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
        makeRoom(format.valueLength());
        format.writeValue((V) value, collected, length);
        length += format.valueLength();
        return this;
    }

    private void makeRoom(int bytes) {
        if (collected.length - length < bytes) {
            writeOut();
        }
    }

    private void writeOut() {
        try {
            target.write(collected, 0, length);
            length = 0;
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    @Override
    public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
        throw FixedSizeInstance.onlyPairs();
    }

    @Override
    public void flush() {
        writeOut();
        try {
            target.flush();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    @Override
    public void close() {
        writeOut();
        try {
            target.close();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }
}
