// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.tcp;

import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.client.spi.ServerQuestion;
import io.crail.client.stream.Lane;
import io.crail.error.CrailException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One storage server over one or more connections, used in turn. The connections are made when they
 * are needed and made again after they broke; a transfer is never repeated here, because only the
 * caller knows whether that is worth while.
 */
final class TcpDataPath implements DataPath {
    /** Holds some 15 answers of 4 KiB. */
    private static final int BUFFER_BYTES = 64 << 10;

    /** A transfer on the lane that carries it. */
    private record Placed(Lane lane, BlockExchange exchange) {}

    private final Lane[] lanes;
    private final DataPeer peer;
    private volatile boolean interrupted;
    private final AtomicInteger next = new AtomicInteger();
    private final ConcurrentMap<BlockTransfer, Placed> placed = new ConcurrentHashMap<>();

    TcpDataPath(DataPeer peer, IoContext io) {
        this.peer = peer;
        lanes = new Lane[peer.connections()];
        TcpDialer dialer = new TcpDialer(peer.host(), peer.port());
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new Lane(peer, dialer, io, BUFFER_BYTES, cause -> interrupted = true);
        }
    }

    @Override
    public void submit(BlockTransfer transfer) {
        Lane lane = lanes[Math.floorMod(next.getAndIncrement(), lanes.length)];
        BlockExchange exchange =
                BlockExchange.of(transfer, lane.nextId(), peer, () -> placed.remove(transfer));
        placed.put(transfer, new Placed(lane, exchange));
        lane.submit(exchange);
    }

    @Override
    public void ask(ServerQuestion question) {
        lanes[0].submit(new QuestionExchange(question, lanes[0].nextId(), peer));
    }

    @Override
    public boolean wasInterrupted() {
        return interrupted;
    }

    @Override
    public void cancel(BlockTransfer transfer) {
        Placed where = placed.remove(transfer);
        if (where != null) {
            where.exchange().detach();
            where.lane().withdraw(where.exchange());
        }
    }

    @Override
    public void close(CrailException cause) {
        for (Lane lane : lanes) {
            lane.close(cause);
        }
    }
}
