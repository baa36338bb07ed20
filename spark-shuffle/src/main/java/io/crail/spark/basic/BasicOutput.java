// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.basic;

import io.crail.spark.interop.Unchecked;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.spark.serializer.SerializationStream;
import org.jspecify.annotations.Nullable;
import scala.reflect.ClassTag;

/**
 * Writes objects of basic types. What is small is put together first, so that a record is one
 * write, or two with a large array behind. Belongs to one thread.
 */
final class BasicOutput extends SerializationStream {
    /** Larger pieces are not copied once more. */
    private static final int SMALL = 512;

    /** A type and a number. */
    private static final int HEAD = 1 + 10;

    /** Through which elements go that are no bytes. */
    private static final int PASSAGE = 8 << 10;

    private final BasicInstance instance;
    private final OutputStream target;
    private final byte[] collected = new byte[4 << 10];
    private byte @Nullable [] passage;
    private int size;

    BasicOutput(BasicInstance instance, OutputStream target) {
        this.instance = instance;
        this.target = target;
    }

    @Override
    public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
        return writeObject(key, tag);
    }

    @Override
    public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
        return writeObject(value, tag);
    }

    @Override
    public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
        try {
            if (collected.length - size < HEAD) {
                writeOut();
            }
            if (object instanceof Integer value) {
                head(BasicTypes.INTEGER, ((value << 1) ^ (value >> 31)) & 0xFFFF_FFFFL);
            } else if (object instanceof byte[] value) {
                head(BasicTypes.BYTES, value.length);
                bytes(value, 0, value.length);
            } else if (object instanceof Long value) {
                head(BasicTypes.LONG, (value << 1) ^ (value >> 63));
            } else if (object instanceof String value) {
                string(value);
            } else {
                rarer(object);
            }
            return this;
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    private void rarer(@Nullable Object object) throws IOException {
        if (object instanceof Double value) {
            fixed(BasicTypes.DOUBLE, Double.doubleToRawLongBits(value), Double.BYTES);
        } else if (object instanceof Boolean value) {
            type(value ? BasicTypes.TRUE : BasicTypes.FALSE);
        } else if (object == null) {
            type(BasicTypes.NULL);
        } else if (object instanceof Float value) {
            fixed(BasicTypes.FLOAT, Float.floatToRawIntBits(value), Float.BYTES);
        } else if (object instanceof Short value) {
            fixed(BasicTypes.SHORT, value, Short.BYTES);
        } else if (object instanceof Byte value) {
            fixed(BasicTypes.BYTE, value, Byte.BYTES);
        } else if (object instanceof Character value) {
            fixed(BasicTypes.CHARACTER, value, Character.BYTES);
        } else if (PrimitiveArrays.isOne(object)) {
            int length = java.lang.reflect.Array.getLength(object);
            head(BasicTypes.ofArray(object), length);
            elements(object, length);
        } else {
            ByteBuffer bytes = instance.other(object);
            byte[] array = new byte[bytes.remaining()];
            bytes.get(array);
            head(BasicTypes.OTHER, array.length);
            bytes(array, 0, array.length);
        }
    }

    private void type(int type) {
        collected[size++] = (byte) type;
    }

    private void head(int type, long number) {
        collected[size++] = (byte) type;
        long left = number;
        while ((left & ~0x7FL) != 0) {
            collected[size++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        collected[size++] = (byte) left;
    }

    private void fixed(int type, long bits, int bytes) {
        collected[size++] = (byte) type;
        for (int i = 0; i < bytes; i++) {
            collected[size++] = (byte) (bits >>> (8 * i));
        }
    }

    private void string(String value) throws IOException {
        int length = value.length();
        int all = 0;
        for (int i = 0; i < length; i++) {
            all |= value.charAt(i);
        }
        if (all <= 0xFF) {
            head(BasicTypes.LATIN, length);
            bytes(value.getBytes(StandardCharsets.ISO_8859_1), 0, length);
        } else {
            // As they are: no character set has halves of pairs.
            head(BasicTypes.STRING, length);
            elements(value.toCharArray(), length);
        }
    }

    private void elements(Object array, int length) throws IOException {
        byte[] through = passage;
        if (through == null) {
            through = new byte[PASSAGE];
            passage = through;
        }
        int width = PrimitiveArrays.width(array);
        int atOnce = PASSAGE / width;
        for (int done = 0; done < length; done += atOnce) {
            int some = Math.min(atOnce, length - done);
            PrimitiveArrays.get(array, done, some, through);
            bytes(through, 0, some * width);
        }
    }

    private void bytes(byte[] bytes, int offset, int length) throws IOException {
        if (length > SMALL) {
            writeOut();
            target.write(bytes, offset, length);
            return;
        }
        if (length > collected.length - size) {
            writeOut();
        }
        System.arraycopy(bytes, offset, collected, size, length);
        size += length;
    }

    private void writeOut() throws IOException {
        int length = size;
        // Before the target is called: when that fails, nobody writes on.
        size = 0;
        target.write(collected, 0, length);
    }

    /** Hands all over to the target, which is not flushed: compressors would begin anew. */
    @Override
    public void flush() {
        if (size > 0) {
            try {
                writeOut();
            } catch (IOException e) {
                throw Unchecked.rethrow(e);
            }
        }
    }

    @Override
    public void close() {
        flush();
        try {
            target.close();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }
}
