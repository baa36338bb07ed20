// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.audit.AuditReport;
import io.crail.client.audit.ClusterAudit;
import io.crail.client.audit.Finding;
import io.crail.client.data.BlockMove;
import io.crail.client.engine.Operation;
import io.crail.error.BusyException;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** {@link CrailAdmin} of a connected client. */
final class ConnectedAdmin implements CrailAdmin {
    /** Blocks on their way at a time: up to 1 MiB of the buffer pool each. */
    private static final int WINDOW = 8;

    private final ClientCore core;
    private final Caller caller;

    ConnectedAdmin(ClientCore core, Caller caller) {
        this.core = core;
        this.caller = caller;
    }

    @Override
    public ServerState drain(int server) throws CrailException {
        return state(ask("drain storage server ", new Drain.Request(server, true)));
    }

    @Override
    public Revocation revoke(int server) throws CrailException {
        Drain.Reply reply = ask("take back storage server ", new Drain.Request(server, true, true));
        return new Revocation(reply.revokedBytes(), reply.endedLeases());
    }

    @Override
    public ServerState undrain(int server) throws CrailException {
        return state(ask("undrain storage server ", new Drain.Request(server, false)));
    }

    private static ServerState state(Drain.Reply reply) throws CrailException {
        return ServerState.ofWire(reply.state());
    }

    private Drain.Reply ask(String what, Drain.Request request) throws CrailException {
        return caller.call(
                what + request.server(),
                op ->
                        core.session()
                                .call(op, request)
                                .thenApply(
                                        answer -> {
                                            try {
                                                return Drain.Reply.decode(answer.control());
                                            } catch (CrailException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }

    @Override
    public Evacuation evacuate(int server, Progress progress) throws CrailException {
        Pass pass = new Pass(server, progress);
        long cursor = 0;
        do {
            cursor = pass.page(cursor);
        } while (cursor != 0);
        return pass.result();
    }

    @Override
    public AuditReport check(@Nullable String path, LongConsumer progress) throws CrailException {
        try (AuditSource source = new AuditSource(core, caller)) {
            return new ClusterAudit(source, path, progress).run();
        }
    }

    @Override
    public boolean repair(Finding finding) throws CrailException {
        try (AuditSource source = new AuditSource(core, caller)) {
            return source.repair(finding);
        }
    }

    private Statistics.Reply statistics() throws CrailException {
        try (AuditSource source = new AuditSource(core, caller)) {
            return source.statistics();
        }
    }

    /** Once through the namespace. */
    private final class Pass {
        private final int server;
        private final Progress progress;
        private long blocks;
        private long bytes;
        private long busy;
        private long failed;
        private String failure = "";

        Pass(int server, Progress progress) {
            this.server = server;
            this.progress = progress;
        }

        /** Moves what a page names; returns the cursor of the next one, 0 = none. */
        long page(long cursor) throws CrailException {
            Movable.Reply page =
                    caller.call(
                            "list what lies on storage server " + server,
                            op -> movable(op, cursor));
            busy += page.busy();
            long before = blocks;
            for (int first = 0; first < page.extents().size(); first += WINDOW) {
                int end = Math.min(page.extents().size(), first + WINDOW);
                move(page.owners().subList(first, end), page.extents().subList(first, end));
                progress.moved(blocks, bytes);
            }
            boolean again = page.next() != 0 && page.next() == Math.max(1, cursor);
            if (again && blocks == before) {
                throw stuck();
            }
            return page.next();
        }

        private CrailException stuck() {
            return new BusyException(
                    "storage server "
                            + server
                            + " cannot be emptied now: none of 64 blocks could be moved; "
                            + failure);
        }

        private CompletableFuture<Movable.Reply> movable(Operation operation, long cursor) {
            return core.session()
                    .call(
                            operation,
                            new Movable.Request(server, cursor, ProtocolLimits.MAX_REFERENCES))
                    .thenApply(
                            reply -> {
                                try {
                                    return Movable.Reply.decode(reply.control());
                                } catch (CrailException e) {
                                    throw new CompletionException(e);
                                }
                            });
        }

        private void move(List<Movable.Owner> owners, List<Extent> extents) throws CrailException {
            List<CrailFuture<Boolean>> moves = new ArrayList<>();
            for (int i = 0; i < extents.size(); i++) {
                Movable.Owner owner = owners.get(i);
                Extent extent = extents.get(i);
                moves.add(
                        caller.begin(
                                "move a block of " + owner.path(),
                                op -> blockMove(op, owner, extent).start()));
            }
            for (int i = 0; i < moves.size(); i++) {
                count(extents.get(i), moves.get(i));
            }
        }

        private BlockMove blockMove(Operation operation, Movable.Owner owner, Extent extent) {
            return new BlockMove(
                    core.session(),
                    core.blocks(),
                    core.reader(),
                    core.engine().buffers(),
                    operation,
                    owner,
                    extent);
        }

        private void count(Extent extent, CrailFuture<Boolean> move) throws CrailException {
            try {
                if (move.get()) {
                    blocks++;
                    bytes += extent.length();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancelledException("emptying storage server " + server + ": interrupted");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof CrailException cause) {
                    if (cause.code() == ErrorCode.LEASE_HELD) {
                        busy++;
                    } else {
                        failed++;
                        failure = String.valueOf(cause.getMessage());
                    }
                } else {
                    throw new AssertionError("a call fails with a CrailException", e);
                }
            }
        }

        Evacuation result() throws CrailException {
            for (Statistics.ServerCapacity each : statistics().servers()) {
                if (each.id() == server) {
                    return new Evacuation(
                            blocks, bytes, busy, failed, failure, each.capacity() - each.free());
                }
            }
            throw new InvalidArgumentException("there is no storage server " + server);
        }
    }
}
