// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockIo;
import io.crail.client.data.BlockUse;
import io.crail.client.data.BufferWait;
import io.crail.client.data.WriteChecksums;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.client.spi.BufferPool;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Put;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Puts one value that is too large to travel with the call: grant, write the blocks, commit. On the
 * strand of its operation. The grant is not needed if there are blocks in stock; the commit asks
 * for the ones that replace them.
 *
 * <p>Blocks in stock may have been lost or taken back meanwhile: then the value is written anew, to
 * blocks granted for it. If there is no room for it, the stock is given back first: it may be what
 * takes the room.
 *
 * <p>If a server is lost, the value is still there: everything is granted and written anew
 * elsewhere. The same if a server is away, or does not answer for a quarter of the deadline, as
 * soon as blocks of other servers are granted; until then it is waited for. What was granted in
 * vain is given back, and a write that arrives late harms nobody ({@link Relocation}).
 */
final class ValueWriter {
    private static final int WINDOW = 16;
    private static final int MAX_TRIES = 4;

    private final Engine engine;
    private final Session session;
    private final BlockIo io;
    private final ValueStock stock;
    private final Operation operation;
    private final Put.Request put;
    private final ByteBuffer value;
    private final CompletableFuture<Long> result = new CompletableFuture<>();
    private final Set<Integer> excluded = new TreeSet<>();

    private final List<BlockReference> grants = new ArrayList<>();
    private final List<CommittedExtent> extents = new ArrayList<>();
    private final WriteSteps steps;
    private @Nullable List<BlockReference> secured;
    private boolean securing;
    private boolean fromStock;
    private boolean stockGivenUp;
    private int incarnation;
    private long granted;
    private int next;
    private int offset;
    private int written;
    private int underWay;
    private boolean pumping;

    /** Counts the calls of {@link #pump}. */
    private int rounds;

    private int tries;
    private int maxTries = MAX_TRIES;
    private @Nullable CrailException failure;

    /**
     * @param put the commit to be, without extents
     * @param value heap or direct; its position and limit stay where they are
     */
    ValueWriter(
            Engine engine,
            Session session,
            BlockIo io,
            ValueStock stock,
            Operation operation,
            Put.Request put,
            ByteBuffer value) {
        this.engine = engine;
        this.session = session;
        this.io = io;
        this.stock = stock;
        this.operation = operation;
        this.put = put;
        this.value = value.duplicate();
        this.steps = new WriteSteps(engine, operation, this::late);
    }

    /** Yields the version. */
    CompletableFuture<Long> start() {
        incarnation = session.incarnation();
        List<BlockReference> lot = stock.take(put.table(), value.remaining(), incarnation);
        if (lot.isEmpty()) {
            grant();
        } else {
            fromStock = true;
            take(lot);
        }
        return result;
    }

    private CompletableFuture<Reply> askFor(long bytes, Set<Integer> without) {
        Grant.Request message = new Grant.Request(0, 0, put.table(), bytes, true, array(without));
        return session.call(operation, message, null, incarnation);
    }

    private static int[] array(Set<Integer> servers) {
        int[] array = new int[servers.size()];
        int count = 0;
        for (int server : servers) {
            array[count++] = server;
        }
        return array;
    }

    private void grant() {
        Outcomes.whenDone(
                askFor(value.remaining() - granted, excluded),
                (reply, cause) -> {
                    CrailException failed = cause;
                    if (failed == null) {
                        try {
                            accept(Grant.Reply.decode(reply.control()).grants());
                            return;
                        } catch (CrailException e) {
                            failed = e;
                        }
                    }
                    if (isFull(failed) && !stockGivenUp) {
                        stockGivenUp = true;
                        grantWithoutStock(failed);
                    } else {
                        giveUp(failed);
                    }
                });
    }

    private static boolean isFull(CrailException cause) {
        return cause.code() == ErrorCode.OUT_OF_SPACE || cause.code() == ErrorCode.QUOTA_EXCEEDED;
    }

    private void grantWithoutStock(CrailException full) {
        List<BlockId> spare = stock.drain();
        if (spare.isEmpty()) {
            giveUp(full);
            return;
        }
        Outcomes.whenDone(
                session.returnNow(operation, spare, incarnation),
                (reply, cause) -> {
                    if (cause == null) {
                        grant();
                    } else {
                        giveUp(cause);
                    }
                });
    }

    private void accept(List<BlockReference> fresh) throws OutOfSpaceException {
        if (fresh.isEmpty()) {
            throw new OutOfSpaceException(operation.what() + ": the namenode granted no block");
        }
        take(fresh);
    }

    private void take(List<BlockReference> fresh) {
        for (BlockReference block : fresh) {
            grants.add(block);
            granted += block.length();
        }
        if (granted < value.remaining()) {
            grant();
        } else {
            pump();
        }
    }

    private void pump() {
        rounds++;
        pumping = true;
        while (failure == null && underWay < WINDOW && offset < value.remaining()) {
            int index = next;
            BlockReference block = grants.get(index);
            int length = Math.min(block.length(), value.remaining() - offset);
            ByteBuffer bytes = value.slice(value.position() + offset, length);
            next++;
            offset += length;
            extents.add(new CommittedExtent(block, length, 0));
            begin(index, block, bytes);
        }
        pumping = false;
        if (underWay > 0) {
            return;
        }
        CrailException failed = failure;
        if (failed != null) {
            retryOrGiveUp(failed);
        } else if (written == next && offset == value.remaining()) {
            commit();
        }
    }

    private void begin(int index, BlockReference block, ByteBuffer bytes) {
        underWay++;
        if (bytes.isDirect() || io.writesNow(operation, block)) {
            write(index, block, bytes, null);
            return;
        }
        collect(index, block, bytes);
    }

    private void collect(int index, BlockReference block, ByteBuffer bytes) {
        Outcomes.whenDone(
                BufferWait.acquire(operation, engine.buffers(), bytes.remaining()),
                (lease, cause) -> {
                    if (cause != null) {
                        ended(cause);
                        return;
                    }
                    ByteBuffer copy = lease.buffer().slice(0, bytes.remaining());
                    copy.duplicate().put(bytes);
                    write(index, block, copy, lease);
                });
    }

    private void write(
            int index, BlockReference block, ByteBuffer bytes, BufferPool.@Nullable Lease lease) {
        WriteChecksums sums = WriteChecksums.toBeMade(block, 0, bytes);
        if (io.writeNow(operation, block, 0, sums)) {
            // Those of the copy.
            extents.set(index, new CommittedExtent(block, bytes.remaining(), sums.tail()));
            if (lease != null) {
                lease.close();
            }
            written++;
            ended(null);
        } else if (bytes.isDirect()) {
            sums.checksums(); // Before the bytes go anywhere: a network takes them as they are.
            extents.set(index, new CommittedExtent(block, bytes.remaining(), sums.tail()));
            writeLater(block, bytes, sums, lease);
        } else {
            collect(index, block, bytes);
        }
    }

    private void writeLater(
            BlockReference block,
            ByteBuffer bytes,
            WriteChecksums sums,
            BufferPool.@Nullable Lease lease) {
        WriteSteps.Step step = steps.to(block.server(), rounds);
        Outcomes.whenDone(
                io.write(step.operation(), block, BlockUse.fresh(), 0, bytes, sums, step.late()),
                (done, cause) -> {
                    step.end();
                    if (lease != null) {
                        lease.close();
                    }
                    if (cause == null) {
                        written++;
                    } else if (cause.code() == ErrorCode.SERVER_LOST && secured == null) {
                        exclude(block.server());
                    }
                    ended(cause);
                });
    }

    private void exclude(int server) {
        excluded.add(server);
        stock.exclude(server);
    }

    /**
     * A server does not answer, or is away and expected back. If there is room on others, the value
     * goes there; else it waits.
     */
    private void late(int server) {
        if (securing || secured != null || steps.isEmpty() || tries + 1 >= maxTries) {
            return;
        }
        securing = true;
        int round = tries;
        Set<Integer> without = new TreeSet<>(excluded);
        without.add(server);
        Outcomes.whenDone(
                askFor(value.remaining(), without),
                (reply, cause) -> {
                    securing = false;
                    if (cause == null) {
                        try {
                            moveTo(Grant.Reply.decode(reply.control()).grants(), server, round);
                        } catch (CrailException malformed) {
                            giveUp(malformed);
                        }
                    }
                });
    }

    private void moveTo(List<BlockReference> elsewhere, int from, int round) {
        if (round != tries || steps.isEmpty() || elsewhere.isEmpty()) {
            // It answered after all, or all is over.
            giveBack(elsewhere);
            return;
        }
        secured = elsewhere;
        exclude(from);
        CrailException cause =
                new ServerLostException(
                        operation.what()
                                + ": storage server "
                                + from
                                + " does not answer; the value is written elsewhere");
        steps.cancel(cause);
    }

    private void ended(@Nullable CrailException cause) {
        underWay--;
        if (cause != null && failure == null) {
            failure = cause;
        }
        if (!pumping) {
            pump(); // Else who pumps goes on: a large value has more blocks than a stack has room.
        }
    }

    private void retryOrGiveUp(CrailException cause) {
        boolean wornOut = fromStock && isWornOut(cause);
        fromStock = false;
        if (wornOut) {
            maxTries++;
            session.returnBlocks(stock.drain(), incarnation); // It is as old.
        }
        boolean again = (wornOut || isLost(cause)) && ++tries < maxTries;
        if (!again || operation.cancelled() != null) {
            giveUp(cause);
            return;
        }
        returnGrants();
        failure = null;
        grants.clear();
        extents.clear();
        granted = 0;
        next = 0;
        offset = 0;
        written = 0;
        List<BlockReference> elsewhere = secured;
        secured = null;
        if (elsewhere == null) {
            grant();
        } else {
            take(elsewhere);
        }
    }

    /** Other blocks may do. Denied are those of a session that has expired since. */
    private static boolean isLost(CrailException cause) {
        return cause.code() == ErrorCode.SERVER_LOST
                || cause.code() == ErrorCode.STALE_REFERENCE
                || cause.code() == ErrorCode.ACCESS_DENIED;
    }

    /**
     * What may be wrong with a block that was granted a while ago: it may not be granted any more.
     */
    private static boolean isWornOut(CrailException cause) {
        return isLost(cause) || cause.code() == ErrorCode.INVALID_ARGUMENT;
    }

    private void commit() {
        giveBackSecured();
        ValueStock.@Nullable Wish wish = stock.wish(put.table(), value.remaining());
        Put.Request message =
                new Put.Request(
                        put.table(),
                        put.key(),
                        put.condition(),
                        put.expectedVersion(),
                        put.lifetimeMillis(),
                        Get.EXTENTS,
                        List.copyOf(extents),
                        BlockReference.ids(grants.subList(next, grants.size())),
                        wish == null ? 0 : wish.bytes(),
                        array(excluded));
        Outcomes.whenDone(
                session.call(operation, message, null, incarnation),
                (reply, cause) -> {
                    if (cause == null) {
                        committed(reply, wish);
                    } else {
                        if (wish != null) {
                            stock.refused(wish);
                        }
                        // Refused: nothing took place, and the value is still there.
                        retryOrGiveUp(cause);
                    }
                });
    }

    private void committed(Reply reply, ValueStock.@Nullable Wish wish) {
        Put.Reply answer;
        try {
            answer = Put.Reply.decode(reply.control());
        } catch (CrailException malformed) {
            if (wish != null) {
                stock.refused(wish);
            }
            giveUp(malformed);
            return;
        }
        if (wish != null) {
            stock.answered(wish, answer.grants(), reply.incarnation());
        }
        result.complete(answer.version());
    }

    /** What was committed all the same is no longer granted, so giving it back does nothing. */
    private void giveUp(CrailException cause) {
        returnGrants();
        giveBackSecured();
        result.completeExceptionally(cause);
    }

    private void giveBackSecured() {
        List<BlockReference> elsewhere = secured;
        if (elsewhere != null) {
            secured = null;
            giveBack(elsewhere);
        }
    }

    private void returnGrants() {
        giveBack(grants);
    }

    private void giveBack(List<BlockReference> blocks) {
        session.returnBlocks(BlockReference.ids(blocks), incarnation);
    }
}
