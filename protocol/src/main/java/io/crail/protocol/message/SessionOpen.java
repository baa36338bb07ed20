// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/** Makes a session. Logged; everything a client holds hangs on it. */
public final class SessionOpen {
    private SessionOpen() {}

    /**
     * Request 16.
     *
     * @param name client name, for status pages
     * @param tenant 0 now
     * @param user acting user
     * @param group its group
     * @param locationClass where the client is, "" = unknown
     * @param timeoutMillis wanted session timeout, 0 = the server's default
     */
    public record Request(
            String name,
            int tenant,
            String user,
            String group,
            String locationClass,
            int timeoutMillis)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.SESSION_OPEN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.string(name);
            writer.i32(tenant);
            writer.string(user);
            writer.string(group);
            writer.string(locationClass);
            writer.i32(timeoutMillis);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.string(Names.MAX_NAME),
                    reader.i32(),
                    reader.string(Names.MAX_NAME),
                    reader.string(Names.MAX_NAME),
                    reader.string(Names.MAX_NAME),
                    reader.length32());
        }
    }

    /**
     * Reply 16.
     *
     * @param session id, not 0
     * @param token secret with which further connections join the session
     * @param timeoutMillis the session ends when no keep-alive could be received for so long
     * @param leaseMillis a writer silent for so long may lose its leases to another
     * @param keepAliveMillis how often to send a keep-alive
     */
    public record Reply(
            long session, byte[] token, int timeoutMillis, int leaseMillis, int keepAliveMillis)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.SESSION_OPEN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(session);
            writer.raw(token);
            writer.i32(timeoutMillis);
            writer.i32(leaseMillis);
            writer.i32(keepAliveMillis);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    reader.raw(16),
                    reader.length32(),
                    reader.length32(),
                    reader.length32());
        }
    }
}
