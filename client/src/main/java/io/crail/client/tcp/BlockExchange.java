// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.Exchange;
import io.crail.client.stream.Lane;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A block transfer as a READ or WRITE frame. */
final class BlockExchange extends Exchange {
    private final BlockTransfer transfer;
    private final DataPeer peer;
    private final Runnable atEnd;
    private volatile boolean detached;
    private boolean filled;

    private BlockExchange(
            long id,
            Message message,
            @Nullable ByteBuffer payload,
            BlockTransfer transfer,
            DataPeer peer,
            Runnable atEnd) {
        super(id, message.type().wire(), 0, Lane.encode(message), payload);
        this.transfer = transfer;
        this.peer = peer;
        this.atEnd = atEnd;
    }

    /**
     * @param atEnd run before the transfer hears how it went
     */
    static BlockExchange of(BlockTransfer transfer, long id, DataPeer peer, Runnable atEnd) {
        if (transfer instanceof BlockTransfer.Write) {
            Message write =
                    new Write.Request(transfer.block(), transfer.offset(), transfer.checksums());
            return new BlockExchange(id, write, transfer.data(), transfer, peer, atEnd);
        }
        boolean bytes = !(transfer instanceof BlockTransfer.Sums);
        Message read =
                new Read.Request(
                        transfer.block(),
                        transfer.offset(),
                        transfer.length(),
                        (transfer.wantsChecksums() ? Read.CHECKSUMS : 0)
                                | (bytes ? 0 : Read.NO_BYTES));
        return new BlockExchange(id, read, null, transfer, peer, atEnd);
    }

    /** From now on no buffer is asked for and nobody is called back. */
    void detach() {
        detached = true;
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
        return transfer.remainingMillis();
    }

    @Override
    public @Nullable ByteBuffer payloadTarget(int status, int length) {
        ByteBuffer data = transfer.data();
        // An older server sends the bytes of which only the checksums were asked for: dropped.
        if (detached || status != 0 || length != data.remaining()) {
            return null;
        }
        filled = true;
        return data.duplicate();
    }

    @Override
    public void answered(int status, long epoch, byte[] control) {
        if (detached) {
            return;
        }
        atEnd.run();
        try {
            if (status != 0) {
                String why = new WireReader(control).string(ProtocolLimits.MAX_ERROR_MESSAGE);
                transfer.failed(CrailException.of(ErrorCode.ofWire(status), peer + ": " + why));
            } else if (transfer instanceof BlockTransfer.Write) {
                transfer.completed(new int[0]);
            } else if (filled || transfer instanceof BlockTransfer.Sums) {
                transfer.completed(Read.Reply.decode(new WireReader(control)).checksums());
            } else {
                transfer.failed(
                        new ProtocolException(peer + " answered a read with another length"));
            }
        } catch (ProtocolException e) {
            transfer.failed(new ProtocolException(peer + ": malformed answer", e));
        }
    }

    @Override
    public void failed(CrailException cause) {
        if (!detached) {
            atEnd.run();
            transfer.failed(
                    CrailException.of(cause.code(), peer + ": " + cause.getMessage(), cause));
        }
    }
}
