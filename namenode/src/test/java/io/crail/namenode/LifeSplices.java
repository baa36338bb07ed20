// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ErrorCode;
import io.crail.namenode.Splicer.Opened;
import io.crail.namenode.Splicer.Piece;
import io.crail.namenode.TreeModel.Node;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.block.BlockState;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Truncate;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Requests that join and cut files, and looks at what those who have them open still have. */
final class LifeSplices {
    private final LifeWorld world;

    LifeSplices(LifeWorld world) {
        this.world = world;
    }

    void concat(LifeClient client) throws IOException {
        String target = world.path(NodeType.FILE);
        List<String> sources = new ArrayList<>();
        for (int i = world.random.nextInt(20) == 0 ? 0 : 1 + world.random.nextInt(3); i > 0; i--) {
            sources.add(world.path(NodeType.FILE));
        }
        if (world.mutate(
                        client,
                        Splicer.concatRequest(target, sources),
                        FrameLink.NO_PAYLOAD,
                        world.model.checkConcat(target, sources),
                        Set.of(ErrorCode.QUOTA_EXCEEDED))
                != null) {
            world.model.concat(target, sources);
        }
    }

    void truncate(LifeClient client) throws IOException {
        String path = world.path(NodeType.FILE);
        Node node = world.model.find(path);
        long now = node == null || node.type != NodeType.FILE ? -1 : node.length;
        boolean outdated = world.random.nextInt(20) == 0;
        long length = now < 0 ? 0 : length(now);
        ErrorCode expected = world.model.checkTruncate(path, length, outdated);
        long version = now >= 0 ? client.session.lookup(path).version() : 0;
        Truncate.Request request =
                new Truncate.Request(
                        TestSession.bytes(path),
                        length,
                        expected == null ? tailCrc(client, path, length) : 0,
                        outdated ? version + 1 : version);
        if (expected == null && length == now) {
            // Changes nothing, and so is not remembered.
            client.session.wire().ask(request, FrameLink.NO_PAYLOAD).orThrow();
        } else if (world.mutate(client, request, expected) != null && node != null) {
            node.length = length;
        }
    }

    private long length(long now) {
        return switch (world.random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> now;
            case 2 -> now + 1;
            case 3 -> now / 4096 * 4096;
            default -> (long) (world.random.nextDouble() * now);
        };
    }

    private static int tailCrc(LifeClient client, String path, long length) throws IOException {
        if (length == 0) {
            return 0;
        }
        Piece last =
                new Piece(
                        client.session
                                .extents(client.session.lookup(path).id(), length - 1, 1)
                                .extents()
                                .get(0));
        long used = length - last.offset();
        boolean within = used < last.length() && used % BlockGeometry.CHUNK_SIZE != 0;
        return within ? Splicer.crc(length) : 0;
    }

    /** Somebody who has a file open has all of it that there was when it was opened. */
    void lookAtOpenFile(LifeClient client) throws IOException {
        if (client.opened.isEmpty()) {
            return;
        }
        List<Opened> all = List.copyOf(client.opened.values());
        Opened opened = all.get(world.random.nextInt(all.size()));
        List<Piece> now = opened.piecesNow(client.session);
        List<Piece> then = opened.pieces();
        if (now.size() < then.size()) {
            throw new AssertionError(opened + " has become " + now);
        }
        for (int i = 0; i < then.size(); i++) {
            boolean mayHaveGrown = i == then.size() - 1;
            if (!isKept(then.get(i), now.get(i), mayHaveGrown)) {
                throw new AssertionError(then.get(i) + " has become " + now.get(i));
            }
        }
    }

    private boolean isKept(Piece then, Piece now, boolean mayHaveGrown) {
        if (mayHaveGrown && now.length() > then.length()) {
            Piece grown =
                    new Piece(
                            then.offset(),
                            now.length(),
                            now.tailCrc(),
                            then.block(),
                            then.generation());
            return grown.equals(now) && isCommitted(now);
        }
        return then.equals(now) && isCommitted(now);
    }

    private boolean isCommitted(Piece piece) {
        BlockMap blocks = world.namenode.engine().state().blocks();
        BlockId id = piece.block();
        return blocks.isLost(id.server(), id.segment(), id.record(), piece.generation())
                || (blocks.state(id.server(), id.segment(), id.record()) == BlockState.COMMITTED
                        && blocks.generation(id.server(), id.segment(), id.record())
                                == piece.generation());
    }
}
