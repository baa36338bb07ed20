// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.error.StaleReferenceException;
import io.crail.nvmf.fabric.FabricCommand;
import io.crail.nvmf.fabric.FabricConnection;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.layout.CommandTag;
import io.crail.nvmf.layout.FlashEndpoint;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a namespace whose superblock was read: makes commands for blocks. Thread-safe;
 * nothing blocks but {@link #close}. Ends of commands are told on a thread of the fabric.
 */
final class FlashLink implements UnitIo {
    /** Blocks that are written at a time by one client: far more than writers have under way. */
    private static final int OPEN_BLOCKS = 512;

    private final String peer;
    private final FlashEndpoint endpoint;
    private final FabricConnection connection;
    private final FabricNamespace namespace;
    private final Superblock superblock;
    private final UnitPool units;
    private final RecordCache records;
    private final OpenBlocks openBlocks = new OpenBlocks(OPEN_BLOCKS);
    private final Consumer<FlashLink> lost;
    private final AtomicReference<@Nullable CrailException> closed = new AtomicReference<>();
    private volatile @Nullable ExternalAccess external;

    /**
     * @param peer the server, for messages
     * @param endpoint where it is, and whether the target compares tags
     * @param lost told, perhaps several times, that the connection is of no use any more
     */
    FlashLink(
            String peer,
            FlashEndpoint endpoint,
            FabricConnection connection,
            FabricNamespace namespace,
            Superblock superblock,
            UnitPool units,
            RecordCache records,
            Consumer<FlashLink> lost) {
        this.peer = peer;
        this.endpoint = endpoint;
        this.connection = connection;
        this.namespace = namespace;
        this.superblock = superblock;
        this.units = units;
        this.records = records;
        this.lost = lost;
    }

    /** Of a target that knows no blocks; set before the first job. */
    void watched(ExternalAccess access) {
        external = access;
        access.start(this, () -> lost.accept(this));
    }

    /** What the next connection has to fence before it writes. */
    ExternalAccess.@Nullable Leftover leftover() {
        ExternalAccess access = external;
        return access == null ? null : access.leftover();
    }

    /** Begins a job whose reference was checked. */
    void begin(FlashJob job) {
        ExternalAccess access = external;
        if (access != null && job instanceof WriteJob) {
            access.enter(job, this);
        } else {
            job.begin(this);
        }
    }

    /**
     * Fails if the block has changed hands, where the target does not look at that. Without
     * checksums nothing else tells a reader.
     */
    void recheck(BlockReference block, Consumer<@Nullable CrailException> then) {
        if (external == null) {
            then.accept(null);
        } else {
            BlockGate.checkCounter(this, peer, block, then);
        }
    }

    FlashEndpoint endpoint() {
        return endpoint;
    }

    @Override
    public FlashLayout layout() {
        return superblock.layout();
    }

    RecordCache records() {
        return records;
    }

    OpenBlocks openBlocks() {
        return openBlocks;
    }

    /** Most bytes of one command, whole units. */
    int maxTransfer() {
        return connection.maxTransferBytes() & -FlashLayout.UNIT;
    }

    /**
     * Fails if a reference cannot be one to this namespace.
     *
     * @throws StaleReferenceException if the namespace was formatted since
     */
    void check(BlockReference block) throws CrailException {
        if (Generation.incarnation(block.generation()) != superblock.incarnation()) {
            throw new StaleReferenceException(
                    peer + ": " + block + " is of another life of the namespace");
        }
        if (block.segment() != 0
                || !layout().isBlock(block.record(), block.length())
                || block.offset() != (long) block.record() * FlashLayout.UNIT) {
            throw new ProtocolException(peer + ": " + block + " contradicts the layout of flash");
        }
    }

    /**
     * Whether the record of a block would go along with so many bytes of its data, moved by this
     * thread, as far as can be told now.
     */
    boolean takesRecords(BlockReference block, int bytes) {
        return endpoint.guarded() && namespace.takesRiders(recordBlock(block), bytes);
    }

    /** Whether large reads of this thread find their data in shared memory, as far as is known. */
    boolean sharesMemory() {
        return namespace.takesRiders(0, FlashLayout.UNIT << 5);
    }

    /** The logical block of the record of a block. */
    long recordBlock(BlockReference block) {
        return layout().recordOffset(block.record()) / namespace.info().blockSize();
    }

    /** Whether writes of one block begin in the order in which they were submitted. */
    boolean keepsOrder() {
        return external == null;
    }

    /**
     * Reads whole units of a block into the caller's buffer.
     *
     * @param extras for data in shared memory
     */
    void read(
            FlashJob job,
            int at,
            ByteBuffer to,
            SharedExtras extras,
            Consumer<@Nullable CrailException> ended) {
        lend(job, command(IoOpcode.READ, job.block(), dataAt(job, at), to, extras, ended), ended);
    }

    /**
     * Writes whole units of a block from the caller's buffer.
     *
     * @param extras for data in shared memory
     */
    void write(
            FlashJob job,
            int at,
            ByteBuffer from,
            SharedExtras extras,
            Consumer<@Nullable CrailException> ended) {
        lend(
                job,
                command(IoOpcode.WRITE, job.block(), dataAt(job, at), from, extras, ended),
                ended);
    }

    private long dataAt(FlashJob job, int at) {
        return layout().dataOffset(job.block().record()) + at;
    }

    private static void lend(
            FlashJob job, FabricCommand command, Consumer<@Nullable CrailException> ended) {
        if (job.lend(command)) {
            command.start();
        } else {
            ended.accept(null); // Called off: nobody asks.
        }
    }

    @Override
    public void readUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> use,
            Consumer<@Nullable CrailException> ended) {
        withUnit(
                ended,
                unit ->
                        command(
                                        IoOpcode.READ,
                                        block,
                                        position,
                                        unit,
                                        cause -> {
                                            if (cause == null) {
                                                use.accept(unit);
                                            }
                                            units.giveBack(unit);
                                            ended.accept(cause);
                                        })
                                .start());
    }

    /** The link may have been closed since the job was begun: then there is no memory any more. */
    private void withUnit(Consumer<@Nullable CrailException> ended, Consumer<ByteBuffer> user) {
        if (!units.take(user)) {
            CrailException why = closed.get();
            ended.accept(
                    why != null
                            ? why
                            : new ServerLostException(peer + ": the connection was lost"));
        }
    }

    @Override
    public void writeUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> fill,
            Consumer<@Nullable CrailException> ended) {
        withUnit(
                ended,
                unit -> {
                    fill.accept(unit);
                    writeBack(block, position, unit, ended);
                });
    }

    @Override
    public void changeUnit(
            BlockReference block,
            long position,
            Consumer<ByteBuffer> change,
            Consumer<@Nullable CrailException> ended) {
        withUnit(
                ended,
                unit ->
                        command(
                                        IoOpcode.READ,
                                        block,
                                        position,
                                        unit,
                                        cause -> {
                                            if (cause == null) {
                                                change.accept(unit);
                                                writeBack(block, position, unit, ended);
                                            } else {
                                                units.giveBack(unit);
                                                ended.accept(cause);
                                            }
                                        })
                                .start());
    }

    private void writeBack(
            BlockReference block,
            long position,
            ByteBuffer unit,
            Consumer<@Nullable CrailException> ended) {
        command(
                        IoOpcode.WRITE,
                        block,
                        position,
                        unit,
                        cause -> {
                            units.giveBack(unit);
                            ended.accept(cause);
                        })
                .start();
    }

    private FabricCommand command(
            int opcode,
            BlockReference block,
            long position,
            ByteBuffer data,
            Consumer<@Nullable CrailException> ended) {
        return command(opcode, block, position, data, SharedExtras.NONE, ended);
    }

    private FabricCommand command(
            int opcode,
            BlockReference block,
            long position,
            ByteBuffer data,
            SharedExtras extras,
            Consumer<@Nullable CrailException> ended) {
        CommandTag tag =
                endpoint.guarded()
                        ? new CommandTag(block.record(), block.length(), block.generation())
                        : CommandTag.NONE;
        return namespace.command(
                opcode,
                position / namespace.info().blockSize(),
                data,
                tag::encode,
                extras,
                failure -> ended.accept(failure == null ? null : outcome(block, failure)));
    }

    private CrailException outcome(BlockReference block, NvmeException failure) {
        if (Failures.isLost(failure)) {
            lost.accept(this);
        }
        CrailException why = closed.get();
        return why != null ? why : Failures.of(peer + ": " + block, failure);
    }

    /**
     * Ends the connection: commands under way fail, and when this returns, no buffer is touched any
     * more.
     *
     * @param cause what those commands fail with; null: that the connection is lost
     */
    void close(@Nullable CrailException cause) {
        closed.compareAndSet(null, cause);
        ExternalAccess access = external;
        if (access != null) {
            access.close(cause);
        }
        connection.close();
        units.close();
    }
}
