// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.hello;

import io.crail.client.spi.Exchange;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Message;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One frame of setting a connection up: the hello, the opening of the session. Tied to its
 * connection: if that breaks, so be it.
 */
public final class SetupExchange extends Exchange {
    /** What to do with a successful answer. */
    @FunctionalInterface
    public interface Step {
        void accept(WireReader control, long epoch) throws CrailException;
    }

    /** What to do with a refusal. */
    @FunctionalInterface
    public interface Refusal {
        void accept(CrailException cause);
    }

    private final long session;
    private final int timeoutMillis;
    private final Step step;
    private final Refusal refusal;

    public SetupExchange(
            long id, Message message, long session, int timeoutMillis, Step step, Refusal refusal) {
        super(id, message.type().wire(), 0, encode(message), null);
        this.session = session;
        this.timeoutMillis = timeoutMillis;
        this.step = step;
        this.refusal = refusal;
    }

    private static byte[] encode(Message message) {
        WireWriter writer = new WireWriter(256, ProtocolLimits.MAX_HELLO_FRAME);
        message.encode(writer);
        return Arrays.copyOf(writer.buffer().array(), writer.position());
    }

    @Override
    public long session() {
        return session;
    }

    @Override
    public long acknowledged() {
        return 0;
    }

    @Override
    public int remainingMillis() {
        return timeoutMillis;
    }

    @Override
    public @Nullable ByteBuffer payloadTarget(int status, int length) {
        return null;
    }

    @Override
    public void answered(int status, long epoch, byte[] control) {
        try {
            WireReader reader = new WireReader(control);
            if (status != 0) {
                refusal.accept(refusal(status, reader));
            } else {
                step.accept(reader, epoch);
            }
        } catch (CrailException e) {
            refusal.accept(e);
        }
    }

    /** The error of a refusing answer. */
    public static CrailException refusal(int status, WireReader control) throws ProtocolException {
        return CrailException.of(
                ErrorCode.ofWire(status), control.string(ProtocolLimits.MAX_ERROR_MESSAGE));
    }

    @Override
    public void failed(CrailException cause) {
        // The link hears of the connection's end.
    }
}
