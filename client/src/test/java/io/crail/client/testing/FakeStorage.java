// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.BytesToWrite;
import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A storage server that keeps blocks in a map. */
public final class FakeStorage extends FakePeer {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    private static final class Block {
        private final byte[] data;
        private final int[] checksums;
        private final long generation;

        Block(BlockReference reference) {
            data = new byte[reference.length()];
            checksums = new int[Math.max(1, reference.length() / CHUNK)];
            generation = reference.generation();
        }
    }

    private final int id;
    private final UUID cluster;
    private final Map<Integer, Block> blocks = new ConcurrentHashMap<>();
    private final AtomicInteger corruptReads = new AtomicInteger();
    private final AtomicInteger staleReads = new AtomicInteger();
    private final AtomicInteger staleWrites = new AtomicInteger();
    private final AtomicInteger denials = new AtomicInteger();

    private volatile boolean ignoresNoBytes;

    FakeStorage(int id, UUID cluster) {
        super("fake-storage-" + id);
        this.id = id;
        this.cluster = cluster;
    }

    public int id() {
        return id;
    }

    /** The next reads answer a flipped bit. */
    public void corruptReads(int count) {
        corruptReads.set(count);
    }

    /** It is one of before there were reads without bytes. */
    public void ignoreNoBytes() {
        ignoresNoBytes = true;
    }

    /** The next reads answer that the reference is stale. */
    public void staleReads(int count) {
        staleReads.set(count);
    }

    /** The next writes are answered alike. */
    public void staleWrites(int count) {
        staleWrites.set(count);
    }

    /** The next reads and writes answer that the reference was not granted to the session. */
    public void deny(int count) {
        denials.set(count);
    }

    @Override
    protected long epoch() {
        return 0;
    }

    @Override
    protected Answer answer(Connection connection, ReceivedFrame frame) throws CrailException {
        return switch (frame.type()) {
            case HELLO -> Answer.of(hello());
            case PING -> Answer.of(new Ping.Reply());
            case READ -> read(Read.Request.decode(frame.control()));
            case WRITE -> write(Write.Request.decode(frame.control()), frame.payload());
            default -> throw new IllegalStateException("storage got " + frame.type());
        };
    }

    private Hello.Reply hello() {
        return new Hello.Reply(
                ProtocolLimits.VERSION,
                0,
                0,
                cluster,
                1,
                ProtocolLimits.MAX_FRAME,
                ProtocolLimits.MAX_UNACKNOWLEDGED,
                0,
                0,
                "fake",
                new byte[0]);
    }

    private Block block(BlockReference reference) throws CrailException {
        if (denials.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new AccessDeniedException(reference + " is not sealed for this session");
        }
        Block block = blocks.computeIfAbsent(reference.record(), record -> new Block(reference));
        if (block.generation != reference.generation()) {
            throw new StaleReferenceException(reference + " is stale");
        }
        return block;
    }

    private Answer read(Read.Request request) throws CrailException {
        Block block = block(request.block());
        if (staleReads.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new StaleReferenceException(request.block() + " is stale");
        }
        int end = request.offset() + request.length();
        byte[] data;
        int[] checksums = {};
        synchronized (block) {
            data = Arrays.copyOfRange(block.data, request.offset(), end);
            if ((request.flags() & Read.CHECKSUMS) != 0) {
                checksums =
                        Arrays.copyOfRange(
                                block.checksums,
                                request.offset() / CHUNK,
                                (end + CHUNK - 1) / CHUNK);
            }
        }
        if (corruptReads.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            data[data.length / 2] ^= 0x10;
        }
        boolean bytes = (request.flags() & Read.NO_BYTES) == 0 || ignoresNoBytes;
        return new Answer(new Read.Reply(checksums), bytes ? data : new byte[0]);
    }

    /** What a transport without frames does. */
    int[] transfer(BlockTransfer transfer) throws CrailException {
        if (transfer instanceof BlockTransfer.Write write) {
            moveIn(transfer.block(), transfer.offset(), write);
            return new int[0];
        }
        return read(transfer, transfer.data().duplicate());
    }

    /** As {@link #transfer}, of a read, to another place. */
    int[] read(BlockTransfer transfer, ByteBuffer target) throws CrailException {
        Answer answer =
                read(
                        new Read.Request(
                                transfer.block(),
                                transfer.offset(),
                                transfer.length(),
                                (transfer.wantsChecksums() ? Read.CHECKSUMS : 0)
                                        | (transfer instanceof BlockTransfer.Sums
                                                ? Read.NO_BYTES
                                                : 0)));
        target.put(answer.payload());
        return ((Read.Reply) answer.message()).checksums();
    }

    /** As into memory: only what is accepted is copied. */
    void moveIn(BlockReference reference, int offset, BytesToWrite bytes) throws CrailException {
        Block block = blockToWrite(reference);
        ByteBuffer copy = ByteBuffer.allocateDirect(bytes.length());
        bytes.copyInto(copy, 0);
        byte[] payload = new byte[bytes.length()];
        copy.get(payload);
        write(block, offset, payload, bytes.checksums());
    }

    private Answer write(Write.Request request, byte[] payload) throws CrailException {
        write(blockToWrite(request.block()), request.offset(), payload, request.checksums());
        return Answer.of(new Write.Reply());
    }

    private Block blockToWrite(BlockReference reference) throws CrailException {
        Block block = block(reference);
        if (staleWrites.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new StaleReferenceException(reference + " is stale");
        }
        return block;
    }

    private static void write(Block block, int offset, byte[] payload, int[] checksums) {
        synchronized (block) {
            System.arraycopy(payload, 0, block.data, offset, payload.length);
            System.arraycopy(checksums, 0, block.checksums, offset / CHUNK, checksums.length);
        }
    }
}
