// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Lists in log records: a u32 count and the elements. */
final class Lists {
    @FunctionalInterface
    interface Decoder<T> {
        T decode(WireReader reader) throws ProtocolException;
    }

    private Lists() {}

    static <T> void encode(WireWriter writer, List<T> list, BiConsumer<T, WireWriter> encoder) {
        writer.i32(list.size());
        for (T element : list) {
            encoder.accept(element, writer);
        }
    }

    static <T> List<T> decode(WireReader reader, int elementBytes, Decoder<T> decoder)
            throws ProtocolException {
        int count = reader.length32();
        if ((long) count * elementBytes > reader.remaining()) {
            throw new ProtocolException("list of " + count + " elements exceeds its record");
        }
        List<T> list = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            list.add(decoder.decode(reader));
        }
        return list;
    }
}
