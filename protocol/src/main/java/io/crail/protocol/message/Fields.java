// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * Composite fields. A list of fixed elements is a u16 count, a u16 element size and the elements,
 * so that a later version may lengthen them; a list of records is a u16 count and length-prefixed
 * records.
 */
final class Fields {
    /** Decodes one element. */
    @FunctionalInterface
    interface Decoder<T> {
        T decode(WireReader reader) throws ProtocolException;
    }

    private Fields() {}

    static <T> void list(
            WireWriter writer, List<T> list, int elementSize, BiConsumer<T, WireWriter> encoder) {
        writer.u16(list.size()).u16(elementSize);
        for (T element : list) {
            encoder.accept(element, writer);
        }
    }

    static <T> List<T> list(WireReader reader, int elementSize, Decoder<T> decoder)
            throws ProtocolException {
        int count = reader.u16();
        int size = reader.u16();
        if (count > 0 && size < elementSize) {
            throw new ProtocolException(
                    "list elements of " + size + " bytes, at least " + elementSize + " expected");
        }
        if ((long) count * size > reader.remaining()) {
            throw new ProtocolException("list of " + count + " elements exceeds the message");
        }
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(part(reader, size, decoder));
        }
        return list;
    }

    static <T> void records(WireWriter writer, List<T> list, BiConsumer<T, WireWriter> encoder) {
        writer.u16(list.size());
        for (T element : list) {
            int mark = writer.beginRecord();
            encoder.accept(element, writer);
            writer.endRecord(mark);
        }
    }

    static <T> List<T> records(WireReader reader, Decoder<T> decoder) throws ProtocolException {
        int count = reader.count(2);
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(part(reader, reader.u16(), decoder));
        }
        return list;
    }

    /** Decodes what takes so many bytes: fields may be absent at its end, or unknown to us. */
    private static <T> T part(WireReader reader, int length, Decoder<T> decoder)
            throws ProtocolException {
        int limit = reader.narrow(length);
        T decoded = decoder.decode(reader);
        reader.widen(limit);
        return decoded;
    }

    static void longs(WireWriter writer, long[] values) {
        writer.u16(values.length);
        for (long value : values) {
            writer.i64(value);
        }
    }

    static long[] longs(WireReader reader) throws ProtocolException {
        long[] values = new long[reader.count(8)];
        for (int i = 0; i < values.length; i++) {
            values[i] = reader.i64();
        }
        return values;
    }

    static void ints(WireWriter writer, int[] values) {
        writer.u16(values.length);
        for (int value : values) {
            writer.i32(value);
        }
    }

    static int[] ints(WireReader reader) throws ProtocolException {
        int[] values = new int[reader.count(4)];
        for (int i = 0; i < values.length; i++) {
            values[i] = reader.i32();
        }
        return values;
    }

    static void uuid(WireWriter writer, UUID value) {
        writer.i64(value.getMostSignificantBits()).i64(value.getLeastSignificantBits());
    }

    static UUID uuid(WireReader reader) throws ProtocolException {
        return new UUID(reader.i64(), reader.i64());
    }
}
