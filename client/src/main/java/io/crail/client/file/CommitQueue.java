// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Commit;
import io.crail.protocol.message.NodeStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Commits of a writer, one at a time, in order. On the writer's strand. A commit covers whole
 * pieces of the contiguous prefix that is at the servers, and as many requests as that satisfies.
 */
final class CommitQueue {
    /** Extents in one message; more are committed in several, the last of which closes. */
    private static final int MAX_EXTENTS = 4096;

    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);

    private record Request(long target, boolean close, CompletableFuture<NodeStatus> future) {}

    /** What the queue asks of its writer. */
    interface Writer {
        /** End of the contiguous prefix that is at the servers. */
        long completedLength();

        /** Blocks with uncommitted bytes, in order. */
        Iterable<OpenBlock> blocks();

        void committed(NodeStatus status, boolean closed);

        /**
         * A server of the blocks is lost or away, and nothing is committed. Ends with {@link
         * #again}, or with a failure.
         */
        void refused(CrailException cause);

        void fail(CrailException cause);
    }

    private final WriterContext context;
    private final Writer writer;
    private final ArrayDeque<Request> requests = new ArrayDeque<>();
    private long committedLength;
    private long lastStep;
    private NodeStatus status;
    private final List<BlockId> unused = new ArrayList<>();
    private boolean committing;
    private boolean refused;
    private long refusedSince;
    private long pause;
    private boolean closed;

    CommitQueue(WriterContext context, Writer writer, NodeStatus status) {
        this.context = context;
        this.writer = writer;
        this.status = status;
        this.committedLength = status.length();
    }

    long committedLength() {
        return committedLength;
    }

    /** Bytes that the last commit made visible; 0 before the first. */
    long lastStep() {
        return lastStep;
    }

    /** Whether a commit is under way: what it names cannot be taken back. */
    boolean isUnderWay() {
        return committing;
    }

    boolean isClosed() {
        return closed;
    }

    /** Asks that the file be committed up to a length. */
    CompletableFuture<NodeStatus> request(long target, boolean close) {
        Request request = new Request(target, close, new CompletableFuture<>());
        requests.add(request);
        pump();
        return request.future();
    }

    /** Commits what has arrived, if nothing else is to be committed. */
    void early(long completed) {
        if (!committing && !refused && requests.isEmpty() && completed > committedLength) {
            requests.add(new Request(completed, false, new CompletableFuture<>()));
        }
    }

    /** Granted blocks that will not be used go back with the next commit. */
    void giveBack(List<BlockId> blocks) {
        unused.addAll(blocks);
    }

    /**
     * The same at once, with a commit of nothing; what was written stays as invisible as it is. If
     * commits are under way, the blocks go with the next one.
     */
    void giveBackNow(List<BlockId> blocks) {
        giveBack(blocks);
        if (!committing && !refused && !closed) {
            send(false);
        }
    }

    /** Sends a commit if one is due. */
    void pump() {
        while (!committing && !refused && !requests.isEmpty()) {
            Request first = requests.element();
            if (closed || (!first.close() && first.target() <= committedLength)) {
                requests.remove();
                first.future().complete(status);
            } else if (writer.completedLength() >= first.target()) {
                send(true);
            } else {
                return;
            }
        }
    }

    private void send(boolean written) {
        List<CommittedExtent> extents = new ArrayList<>();
        List<OpenBlock> blocks = new ArrayList<>();
        boolean more = false;
        for (OpenBlock block : written ? writer.blocks() : List.<OpenBlock>of()) {
            if (!block.hasUncommitted()) {
                continue;
            }
            if (extents.size() == MAX_EXTENTS) {
                more = true;
                break;
            }
            extents.add(block.toCommit());
            blocks.add(block);
        }
        boolean close = written && !more && wantsClose();
        committing = true;
        Operation operation = context.begin("commit ");
        Commit.Request message =
                new Commit.Request(
                        context.node(),
                        context.handle(),
                        committedLength,
                        close ? Commit.CLOSE : 0,
                        extents,
                        List.copyOf(unused));
        unused.clear();
        Outcomes.whenDone(
                context.callOnce(operation, message),
                (reply, cause) -> {
                    context.end(operation);
                    committing = false;
                    CrailException failure = cause;
                    if (failure == null) {
                        try {
                            pause = 0;
                            accept(
                                    Commit.Reply.decode(reply.control()).status(),
                                    blocks,
                                    extents,
                                    close);
                            return;
                        } catch (CrailException e) {
                            failure = e;
                        }
                    }
                    if (!written) {
                        unused.addAll(message.returned()); // The next commit shows what is wrong.
                        pump();
                    } else if (mayGoOn(failure)) {
                        refused = true;
                        unused.addAll(message.returned());
                        writer.refused(failure);
                    } else {
                        writer.fail(failure);
                    }
                });
    }

    /** A refusal means that nothing took place. */
    private boolean mayGoOn(CrailException cause) {
        long now = context.engine().nanoTime();
        if (pause == 0) {
            refusedSince = now;
        }
        return cause.code() == ErrorCode.SERVER_LOST
                || (cause.code() == ErrorCode.BUSY
                        && now - refusedSince + pause < context.timeoutNanos());
    }

    /** What could be done about a refusal is done. */
    void again() {
        pause = Math.max(FIRST_PAUSE, Math.min(LONGEST_PAUSE, 2 * pause));
        Operation operation = context.begin("commit again ");
        context.engine()
                .schedule(
                        pause,
                        () ->
                                context.strand()
                                        .execute(
                                                () -> {
                                                    context.end(operation);
                                                    refused = false;
                                                    pump();
                                                }));
    }

    /** A close is the last request; it is due when everything has arrived. */
    private boolean wantsClose() {
        for (Request request : requests) {
            if (request.target() > writer.completedLength()) {
                return false;
            }
            if (request.close()) {
                return true;
            }
        }
        return false;
    }

    private void accept(
            NodeStatus fresh,
            List<OpenBlock> blocks,
            List<CommittedExtent> extents,
            boolean close) {
        long before = committedLength;
        for (int i = 0; i < blocks.size(); i++) {
            OpenBlock block = blocks.get(i);
            block.commit(extents.get(i).length());
            committedLength = block.base() + extents.get(i).length();
        }
        if (committedLength > before) { // else it only gave blocks back
            lastStep = committedLength - before;
        }
        status = fresh;
        closed |= close;
        writer.committed(fresh, close);
        pump();
    }

    void fail(CrailException cause) {
        List<Request> failed = new ArrayList<>(requests);
        requests.clear();
        failed.forEach(request -> request.future().completeExceptionally(cause));
    }
}
