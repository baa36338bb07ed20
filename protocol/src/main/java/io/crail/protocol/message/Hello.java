// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.node.Names;
import java.util.UUID;

/** First exchange on every connection: agree on version, cluster, session and limits. */
public final class Hello {
    public static final int ROLE_CLIENT = 1;
    public static final int ROLE_STORAGE = 2;
    public static final int AUTHENTICATION_NONE = 0;

    /** Both sides prove by HMAC-SHA-256 that they know a secret. */
    public static final int AUTHENTICATION_HMAC = 1;

    private static final int MAX_NONCE = 64;
    private static final int MAX_CHALLENGE = 64;
    private static final int MAX_DIRECTORY = 255;
    private static final int MAX_COOKIE = 64;

    /** Bytes of a reply before the first field that has a length of its own. */
    private static final int BEFORE_SOFTWARE = 50;

    private static final byte[] NOTHING = {};

    private Hello() {}

    /**
     * Request 1.
     *
     * @param magic {@link io.crail.protocol.frame.ProtocolLimits#HELLO_MAGIC}
     * @param minVersion oldest protocol version the caller speaks
     * @param maxVersion newest protocol version the caller speaks
     * @param role who calls: one of the ROLE constants
     * @param authentication one of the AUTHENTICATION constants, offered
     * @param features feature flags the caller knows
     * @param cluster cluster the caller expects; all zero = any
     * @param lowestEpoch highest namenode epoch the caller has seen; a namenode below it refuses
     *     itself
     * @param session session this connection belongs to, 0 = none yet
     * @param secret for a storage server: the ticket for that session; else 0
     * @param token secret token of the session, zeros = none
     * @param tenant tenant of the session, 0 now
     * @param name the caller's name, for logs and status
     * @param nonce never used before; empty without authentication, and from older callers
     */
    public record Request(
            long magic,
            int minVersion,
            int maxVersion,
            int role,
            int authentication,
            long features,
            UUID cluster,
            long lowestEpoch,
            long session,
            long secret,
            byte[] token,
            int tenant,
            String name,
            byte[] nonce)
            implements Message {
        /** A hello without authentication. */
        public Request(
                long magic,
                int minVersion,
                int maxVersion,
                int role,
                int authentication,
                long features,
                UUID cluster,
                long lowestEpoch,
                long session,
                long secret,
                byte[] token,
                int tenant,
                String name) {
            this(
                    magic,
                    minVersion,
                    maxVersion,
                    role,
                    authentication,
                    features,
                    cluster,
                    lowestEpoch,
                    session,
                    secret,
                    token,
                    tenant,
                    name,
                    NOTHING);
        }

        /** This hello, offering authentication. */
        public Request withNonce(byte[] newNonce) {
            return new Request(
                    magic,
                    minVersion,
                    maxVersion,
                    role,
                    AUTHENTICATION_HMAC,
                    features,
                    cluster,
                    lowestEpoch,
                    session,
                    secret,
                    token,
                    tenant,
                    name,
                    newNonce);
        }

        @Override
        public MessageType type() {
            return MessageType.HELLO;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(magic);
            writer.u8(minVersion);
            writer.u8(maxVersion);
            writer.u8(role);
            writer.u8(authentication);
            writer.i64(features);
            Fields.uuid(writer, cluster);
            writer.i64(lowestEpoch);
            writer.i64(session);
            writer.i64(secret);
            writer.raw(token);
            writer.i32(tenant);
            writer.string(name);
            writer.bytes(nonce);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i64(),
                    reader.u8(),
                    reader.u8(),
                    reader.u8(),
                    reader.u8(),
                    reader.i64(),
                    Fields.uuid(reader),
                    reader.i64(),
                    reader.i64(),
                    reader.i64(),
                    reader.raw(16),
                    reader.i32(),
                    reader.string(Names.MAX_NAME),
                    reader.remaining() == 0 ? NOTHING : reader.bytes(MAX_NONCE));
        }

        /** For messages: secrets are left out. */
        @Override
        public String toString() {
            return "hello of " + name + ", role " + role + ", session " + session;
        }
    }

    /**
     * Reply 1.
     *
     * @param version version spoken from now on
     * @param authentication 0 = none, and the hello is complete; 1 = it is complete when the caller
     *     has answered the challenge
     * @param features flags both sides know
     * @param cluster the cluster's id
     * @param epoch epoch of the namenode; from a storage server the highest it has seen
     * @param maxFrame largest frame the server accepts
     * @param maxUnacknowledged unacknowledged mutations a session may have
     * @param inlineLimit largest inline value in bytes
     * @param maxPage entries in one page
     * @param software version of the server's software
     * @param challenge empty without authentication; else the server's nonce and proof
     * @param local where a client on the namenode's host can go on over a Unix socket
     */
    public record Reply(
            int version,
            int authentication,
            long features,
            UUID cluster,
            long epoch,
            int maxFrame,
            int maxUnacknowledged,
            int inlineLimit,
            int maxPage,
            String software,
            byte[] challenge,
            LocalEndpoint local)
            implements Message {
        /** An answer that knows no way but the one it comes on. */
        public Reply(
                int version,
                int authentication,
                long features,
                UUID cluster,
                long epoch,
                int maxFrame,
                int maxUnacknowledged,
                int inlineLimit,
                int maxPage,
                String software,
                byte[] challenge) {
            this(
                    version,
                    authentication,
                    features,
                    cluster,
                    epoch,
                    maxFrame,
                    maxUnacknowledged,
                    inlineLimit,
                    maxPage,
                    software,
                    challenge,
                    LocalEndpoint.NONE);
        }

        /** This answer, asking for authentication. */
        public Reply withChallenge(byte[] newChallenge) {
            return new Reply(
                    version,
                    AUTHENTICATION_HMAC,
                    features,
                    cluster,
                    epoch,
                    maxFrame,
                    maxUnacknowledged,
                    inlineLimit,
                    maxPage,
                    software,
                    newChallenge,
                    local);
        }

        @Override
        public MessageType type() {
            return MessageType.HELLO;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.u8(version);
            writer.u8(authentication);
            writer.i64(features);
            Fields.uuid(writer, cluster);
            writer.i64(epoch);
            writer.i32(maxFrame);
            writer.i32(maxUnacknowledged);
            writer.i32(inlineLimit);
            writer.i32(maxPage);
            writer.string(software);
            writer.bytes(challenge);
            writer.string(local.directory());
            writer.bytes(local.cookie());
        }

        /** Position behind the challenge in a control part: fields of later versions follow. */
        public static int challengeEnd(byte[] control) throws ProtocolException {
            WireReader reader = new WireReader(control);
            reader.view(BEFORE_SOFTWARE);
            reader.string(Names.MAX_NAME);
            reader.bytes(MAX_CHALLENGE);
            return control.length - reader.remaining();
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.u8(),
                    reader.u8(),
                    reader.i64(),
                    Fields.uuid(reader),
                    reader.i64(),
                    reader.i32(),
                    reader.i32(),
                    reader.i32(),
                    reader.i32(),
                    reader.string(Names.MAX_NAME),
                    reader.bytes(MAX_CHALLENGE),
                    reader.remaining() == 0 ? LocalEndpoint.NONE : local(reader));
        }

        private static LocalEndpoint local(WireReader reader) throws ProtocolException {
            return new LocalEndpoint(reader.string(MAX_DIRECTORY), reader.bytes(MAX_COOKIE));
        }
    }
}
