// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Both control parts of a hello, byte by byte as they are sent: also fields that one side does not
 * know, so that neither a version nor a role nor anything added later can be changed on the way.
 * The server's own proof counts as zeros.
 */
final class Transcript {
    static final int NONCE_BYTES = 32;
    static final int PROOF_BYTES = 32;
    static final int CHALLENGE_BYTES = NONCE_BYTES + PROOF_BYTES;

    private final byte[] request;
    private final byte[] reply;

    /**
     * @param reply with a challenge of {@value #CHALLENGE_BYTES} bytes; not changed
     */
    Transcript(byte[] request, byte[] reply) throws ProtocolException {
        this.request = request;
        this.reply = reply.clone();
        int end = Hello.Reply.challengeEnd(reply);
        Arrays.fill(this.reply, end - PROOF_BYTES, end, (byte) 0);
    }

    /** What {@code prover} shows {@code verifier}. */
    byte[] proof(Secret secret, Party prover, Party verifier) {
        return secret.mac(
                prover.labelFor(verifier), length(request), request, length(reply), reply);
    }

    static byte[] encode(Message message) {
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_HELLO_FRAME);
        message.encode(writer);
        return Arrays.copyOf(writer.buffer().array(), writer.position());
    }

    private static byte[] length(byte[] part) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(part.length).array();
    }
}
