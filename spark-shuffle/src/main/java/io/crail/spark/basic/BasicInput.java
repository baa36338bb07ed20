// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.basic;

import io.crail.error.CorruptDataException;
import io.crail.spark.interop.Unchecked;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.NoSuchElementException;
import org.apache.spark.serializer.DeserializationStream;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/**
 * Reads what {@link BasicOutput} has written. A little is read ahead; the rest of a large array
 * goes from the source into the array. Belongs to one thread.
 *
 * <p>A length is believed as far as there are bytes for it: an array grows with them from a few
 * mebibytes on.
 */
final class BasicInput extends DeserializationStream {
    private static final int READ_AHEAD = 1 << 10;
    private static final int PASSAGE = 8 << 10;
    private static final int BELIEVED = 4 << 20;

    private final BasicInstance instance;
    private final InputStream source;
    private final byte[] read = new byte[READ_AHEAD];
    private byte @Nullable [] passage;
    private int position;
    private int limit;

    BasicInput(BasicInstance instance, InputStream source) {
        this.instance = instance;
        this.source = source;
    }

    @Override
    public Iterator<Tuple2<Object, Object>> asKeyValueIterator() {
        return new Records();
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a null comes back as one
    public <T> T readObject(ClassTag<T> tag) {
        try {
            if (!hasMore()) {
                throw new EOFException("all objects have been read");
            }
            return (T) object();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    @Override
    public void close() {
        try {
            source.close();
        } catch (IOException e) {
            throw Unchecked.rethrow(e);
        }
    }

    private @Nullable Object object() throws IOException {
        need(1);
        int type = read[position++];
        return switch (type) {
            case BasicTypes.INTEGER -> {
                int zigzag = (int) number();
                yield (zigzag >>> 1) ^ -(zigzag & 1);
            }
            case BasicTypes.LONG -> {
                long zigzag = number();
                yield (zigzag >>> 1) ^ -(zigzag & 1);
            }
            case BasicTypes.BYTES -> bytes(length());
            case BasicTypes.LATIN -> latin(length());
            case BasicTypes.STRING -> new String((char[]) elements(type, length()));
            default -> rarer(type);
        };
    }

    private @Nullable Object rarer(int type) throws IOException {
        return switch (type) {
            case BasicTypes.NULL -> null;
            case BasicTypes.DOUBLE -> Double.longBitsToDouble(fixed(Double.BYTES));
            case BasicTypes.FLOAT -> Float.intBitsToFloat((int) fixed(Float.BYTES));
            case BasicTypes.SHORT -> (short) fixed(Short.BYTES);
            case BasicTypes.BYTE -> (byte) fixed(Byte.BYTES);
            case BasicTypes.CHARACTER -> (char) fixed(Character.BYTES);
            case BasicTypes.FALSE -> false;
            case BasicTypes.TRUE -> true;
            case BasicTypes.BOOLEANS,
                    BasicTypes.CHARACTERS,
                    BasicTypes.SHORTS,
                    BasicTypes.INTEGERS,
                    BasicTypes.LONGS,
                    BasicTypes.FLOATS,
                    BasicTypes.DOUBLES ->
                    elements(type, length());
            case BasicTypes.OTHER -> instance.other(ByteBuffer.wrap(bytes(length())));
            default ->
                    throw new CorruptDataException(
                            "an object of a shuffle is of type " + type + ", which there is not");
        };
    }

    /** Of variable length. */
    private long number() throws IOException {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            need(1);
            byte next = read[position++];
            number |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new CorruptDataException("a number in the records of a shuffle has no end");
    }

    private int length() throws IOException {
        long length = number();
        if (length < 0 || length > Integer.MAX_VALUE) {
            throw new CorruptDataException(
                    "an object of a shuffle has " + length + " elements, more than there can be");
        }
        return (int) length;
    }

    private long fixed(int bytes) throws IOException {
        need(bytes);
        long bits = 0;
        for (int i = 0; i < bytes; i++) {
            bits |= (read[position++] & 0xFFL) << (8 * i);
        }
        return bits;
    }

    private String latin(int length) throws IOException {
        if (length > read.length) {
            return new String(bytes(length), StandardCharsets.ISO_8859_1);
        }
        need(length);
        String string = new String(read, position, length, StandardCharsets.ISO_8859_1);
        position += length;
        return string;
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[Math.min(length, BELIEVED)];
        fill(bytes, 0, bytes.length);
        while (bytes.length < length) {
            int done = bytes.length;
            bytes = java.util.Arrays.copyOf(bytes, (int) Math.min(length, 2L * done));
            fill(bytes, done, bytes.length - done);
        }
        return bytes;
    }

    private Object elements(int type, int length) throws IOException {
        byte[] through = passage;
        if (through == null) {
            through = new byte[PASSAGE];
            passage = through;
        }
        int room = Math.min(length, BELIEVED / Long.BYTES);
        Object array = BasicTypes.newArray(type, room);
        int width = PrimitiveArrays.width(array);
        int done = 0;
        while (done < length) {
            if (done == room) {
                room = (int) Math.min(length, 2L * room);
                Object larger = BasicTypes.newArray(type, room);
                System.arraycopy(array, 0, larger, 0, done);
                array = larger;
            }
            int some = Math.min(PASSAGE / width, room - done);
            fill(through, 0, some * width);
            PrimitiveArrays.set(array, done, some, through);
            done += some;
        }
        return array;
    }

    /** The next bytes, those that were read ahead first. */
    private void fill(byte[] target, int offset, int length) throws IOException {
        int some = Math.min(length, limit - position);
        System.arraycopy(read, position, target, offset, some);
        position += some;
        int rest = length - some;
        if (rest > 0 && source.readNBytes(target, offset + some, rest) < rest) {
            throw endsTooEarly();
        }
    }

    /** So many bytes are in the buffer then, at most as many as it holds. */
    private void need(int bytes) throws IOException {
        if (limit - position < bytes && !readAhead(bytes)) {
            throw endsTooEarly();
        }
    }

    private static CorruptDataException endsTooEarly() {
        return new CorruptDataException("the records of a shuffle end within one");
    }

    /** Whether there are so many bytes. */
    private boolean readAhead(int bytes) throws IOException {
        int left = limit - position;
        System.arraycopy(read, position, read, 0, left);
        position = 0;
        limit = left;
        while (limit < bytes) {
            int more = source.read(read, limit, read.length - limit);
            if (more < 0) {
                return false;
            }
            limit += more;
        }
        return true;
    }

    private boolean hasMore() throws IOException {
        return position < limit || readAhead(1);
    }

    /** All that is left, by twos. */
    private final class Records extends AbstractIterator<Tuple2<Object, Object>> {
        @Override
        public boolean hasNext() {
            try {
                return hasMore();
            } catch (IOException e) {
                throw Unchecked.rethrow(e);
            }
        }

        @Override
        public Tuple2<Object, Object> next() {
            if (!hasNext()) {
                throw new NoSuchElementException("all records have been read");
            }
            try {
                Object key = object();
                return new Tuple2<>(key, object());
            } catch (IOException e) {
                throw Unchecked.rethrow(e);
            }
        }
    }
}
