// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.DataPeer;
import io.crail.client.spi.Exchange;
import io.crail.client.spi.ServerQuestion;
import io.crail.client.stream.Lane;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A question as a frame. */
final class QuestionExchange extends Exchange {
    private final ServerQuestion question;
    private final DataPeer peer;

    QuestionExchange(ServerQuestion question, long id, DataPeer peer) {
        super(id, question.request().type().wire(), 0, Lane.encode(question.request()), null);
        this.question = question;
        this.peer = peer;
    }

    @Override
    public long session() {
        return peer.session();
    }

    @Override
    public long acknowledged() {
        return 0;
    }

    @Override
    public int remainingMillis() {
        return question.remainingMillis();
    }

    @Override
    public @Nullable ByteBuffer payloadTarget(int status, int length) {
        return null;
    }

    @Override
    public void answered(int status, long epoch, byte[] control) {
        if (status == 0) {
            question.answered(control);
            return;
        }
        try {
            String why = new WireReader(control).string(ProtocolLimits.MAX_ERROR_MESSAGE);
            question.failed(CrailException.of(ErrorCode.ofWire(status), peer + ": " + why));
        } catch (ProtocolException e) {
            question.failed(new ProtocolException(peer + ": malformed answer", e));
        }
    }

    @Override
    public void failed(CrailException cause) {
        question.failed(CrailException.of(cause.code(), peer + ": " + cause.getMessage(), cause));
    }
}
