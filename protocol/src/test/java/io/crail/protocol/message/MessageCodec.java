// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.golden.GoldenVector;
import io.crail.protocol.local.LocalEndpoint;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The request or reply of one type.
 *
 * @param type the type
 * @param record the record class
 */
record MessageCodec(MessageType type, Class<?> record) {
    /** Both parts of every message. */
    static List<MessageCodec> all() {
        List<MessageCodec> codecs = new ArrayList<>();
        for (MessageType type : MessageType.values()) {
            for (String part : List.of("Request", "Reply")) {
                codecs.add(new MessageCodec(type, find(type, part)));
            }
        }
        return codecs;
    }

    private static Class<?> find(MessageType type, String part) {
        String name =
                type == MessageType.LIST
                        ? "ListEntries"
                        : Arrays.stream(type.name().split("_", -1))
                                .map(
                                        word ->
                                                word.charAt(0)
                                                        + word.substring(1)
                                                                .toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining());
        try {
            return Class.forName(MessageCodec.class.getPackageName() + "." + name + "$" + part);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(type + " has no " + part, e);
        }
    }

    String part() {
        return record.getSimpleName().toLowerCase(Locale.ROOT);
    }

    String goldenFile() {
        return "messages/"
                + type.name().toLowerCase(Locale.ROOT).replace('_', '-')
                + "-"
                + part()
                + ".txt";
    }

    GoldenVector golden() {
        return GoldenVector.load(goldenFile());
    }

    Message decode(byte[] bytes) throws ProtocolException {
        return decode(new WireReader(bytes));
    }

    Message decode(WireReader reader) throws ProtocolException {
        try {
            return (Message) record.getMethod("decode", WireReader.class).invoke(null, reader);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof ProtocolException refused) {
                throw refused;
            }
            throw new AssertionError(this + " failed with another error", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(this + " cannot be decoded", e);
        }
    }

    static byte[] encode(Message message) {
        WireWriter writer = new WireWriter(64, ProtocolLimits.MAX_CONTROL);
        message.encode(writer);
        ByteBuffer written = writer.buffer().flip();
        byte[] bytes = new byte[written.remaining()];
        written.get(bytes);
        return bytes;
    }

    /**
     * Lengths at which a message ends that a peer has sent to whom the fields behind were unknown.
     */
    Set<Integer> olderLengths(byte[] encoded) throws ProtocolException {
        if (record == Hello.Request.class) {
            byte[] nonce = Hello.Request.decode(new WireReader(encoded)).nonce();
            return Set.of(encoded.length - Short.BYTES - nonce.length);
        }
        if (record == Hello.Reply.class) {
            LocalEndpoint local = Hello.Reply.decode(new WireReader(encoded)).local();
            int appended =
                    2 * Short.BYTES
                            + local.directory().getBytes(UTF_8).length
                            + local.cookie().length;
            return Set.of(encoded.length - appended);
        }
        if (record == Lookup.Request.class
                || record == Open.Request.class
                || record == Get.Reply.class) {
            return Set.of(encoded.length - Long.BYTES);
        }
        if (record == Put.Request.class) {
            int servers = Put.Request.decode(new WireReader(encoded)).excludedServers().length;
            int ints = encoded.length - Short.BYTES - servers * Integer.BYTES;
            return Set.of(ints, ints - Long.BYTES);
        }
        if (record == ListEntries.Request.class || record == Drain.Request.class) {
            return Set.of(encoded.length - 1);
        }
        if (record == Drain.Reply.class) {
            return Set.of(1, 1 + Long.BYTES);
        }
        if (record == RegisterServer.Request.class) {
            String url = RegisterServer.Request.decode(new WireReader(encoded)).statusUrl();
            int smallest = encoded.length - Integer.BYTES;
            return Set.of(smallest, smallest - Short.BYTES - url.getBytes(UTF_8).length);
        }
        if (record == RegisterServer.Reply.class) {
            return Set.of(encoded.length - Integer.BYTES);
        }
        if (record == Statistics.Reply.class) {
            Statistics.Reply reply = Statistics.Reply.decode(new WireReader(encoded));
            int next = encoded.length - Integer.BYTES;
            int url = next - Short.BYTES - reply.statusUrl().getBytes(UTF_8).length;
            int software = url - Short.BYTES - reply.software().getBytes(UTF_8).length;
            int log = software - Long.BYTES;
            int handles = log - Long.BYTES;
            int now = handles - Long.BYTES;
            return Set.of(next, url, software, log, handles, now, now - 2 * Long.BYTES);
        }
        if (record == Statistics.Request.class
                || record == ServerTable.Request.class
                || record == ServerTable.Reply.class) {
            return Set.of(encoded.length - Integer.BYTES);
        }
        if (record == Movable.Request.class) {
            int path = Movable.Request.decode(new WireReader(encoded)).path().length;
            return Set.of(encoded.length - 1 - path - Short.BYTES, encoded.length - 1);
        }
        if (record == Movable.Reply.class) {
            return Set.of(encoded.length - Integer.BYTES);
        }
        if (record == Heartbeat.Reply.class) {
            return Set.of(0);
        }
        if (record == Put.Reply.class) {
            return Set.of(2 * Long.BYTES);
        }
        return record == Summary.Reply.class ? Set.of(6 * Long.BYTES, 7 * Long.BYTES) : Set.of();
    }

    @Override
    public String toString() {
        return part() + " of " + type;
    }
}
