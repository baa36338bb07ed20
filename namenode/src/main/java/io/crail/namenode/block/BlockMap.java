// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics.Capacity;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All blocks of all storage servers.
 *
 * <p>There is no object per block: a slab of 1 MiB has one small object, a byte of state for each
 * of its blocks once it is cut, and a counter for each slot once slots differ. A slab whose blocks
 * are all free is uncut again.
 *
 * <p>Three kinds of methods: <b>transitions</b> are logged and replayed, and their outcome depends
 * on what was logged before only; {@link #allocate} chooses, and then makes the transition {@link
 * #grant} for each block it passes on (the engine logs these); <b>{@linkplain SegmentReports
 * reports}</b> of storage servers are not logged: they make segments allocatable, and find what is
 * lost. After a restart nothing is allocated from a server before its report. What is known from
 * reports alone is not in snapshots.
 *
 * <p>Transitions out of order are defects (or a log of another cluster) and throw {@link
 * IllegalStateException}.
 *
 * <p>Not thread-safe: owned by the engine thread. Numbers of segments, records, lengths and
 * generations are those of {@link io.crail.protocol.block.BlockReference}.
 */
public final class BlockMap {
    /** Server ids are below this: they index an array. */
    public static final int MAX_SERVERS = 1 << 20;

    /** Segment numbers are below this, for the same reason. */
    public static final int MAX_SEGMENTS = 1 << 16;

    private final PreImages preImages = new PreImages();
    private final Reports reports = new Reports(preImages);
    private final StorageClasses classes = new StorageClasses();
    private final Allocator allocator;
    private final ServerDirectory servers = new ServerDirectory();
    private final Transitions transitions = new Transitions(servers, preImages, reports);
    private final SegmentReports segmentReports = new SegmentReports(servers, reports);
    private final Revocations revocations = new Revocations(servers, reports);
    private final Fencing fencing = new Fencing(servers);
    private final SlabImages images = new SlabImages(servers, preImages);

    /**
     * An empty map.
     *
     * @param random for {@link PlacementPolicy#RANDOM}
     */
    public BlockMap(RandomGenerator random) {
        allocator = new Allocator(transitions, classes, random);
    }

    /** What storage servers say of the generations in their segments. */
    public SegmentReports reports() {
        return segmentReports;
    }

    /** What storage servers have to be told. */
    public Revocations revocations() {
        return revocations;
    }

    /** What is not granted before it has been fenced. */
    public Fencing fencing() {
        return fencing;
    }

    /** Slabs as snapshots have them. */
    public SlabImages images() {
        return images;
    }

    // ---- servers and segments ----

    /** Transition: a new server, {@link ServerState#EXPECTED} and without segments. */
    public void addServer(int id, int storageClass, String location, String host) {
        if (storageClass < 0 || storageClass >= StorageClasses.COUNT) {
            throw new IllegalStateException("storage class " + storageClass);
        }
        StorageServer server = new StorageServer(id, classes.room(storageClass), location, host);
        servers.add(server);
        classes.add(server);
    }

    /** Transition: a server has moved. */
    public void describeServer(int id, String location, String host) {
        StorageServer server = servers.get(id);
        server.location = location;
        server.host = host;
    }

    /**
     * Not logged. A server that is {@code EXPECTED} or {@code DEAD} must report its segments again
     * before anything is allocated from them.
     */
    public void setState(int id, ServerState state) {
        StorageServer server = servers.get(id);
        server.become(state);
        if (state == ServerState.EXPECTED || state == ServerState.DEAD) {
            for (Segment segment : server.segments) {
                if (segment != null) {
                    server.setReported(segment, false);
                }
            }
            reports.tellAgain(server);
        }
    }

    /**
     * Not logged, as the state is not: a server says it whenever it registers, and nothing is
     * allocated from one that has not. Grants that are replayed name their sizes.
     *
     * @param length size of the smallest block to allocate from it
     */
    public void setSmallestBlock(int id, int length) {
        if (!BlockGeometry.isBlockSize(length)) {
            throw new IllegalArgumentException("block of " + length + " bytes");
        }
        servers.get(id).minShift = Integer.numberOfTrailingZeros(length);
    }

    /** Transition of a server that is there: whether it gets new blocks. */
    public void drain(int id, boolean draining) {
        StorageServer server = servers.get(id);
        if (server.state() == ServerState.LIVE || server.state() == ServerState.DRAINING) {
            server.become(draining ? ServerState.DRAINING : ServerState.LIVE);
        }
    }

    public ServerState serverState(int id) {
        return servers.get(id).state();
    }

    public boolean hasServer(int id) {
        return servers.find(id) != null;
    }

    /** Ids of all servers, ascending. */
    public int[] servers() {
        return servers.ids();
    }

    /**
     * Transition: a new segment. All blocks are free, with the first counter, and not allocatable
     * until reported.
     */
    public void addSegment(int server, int segment, int incarnation, long dataBytes)
            throws InvalidArgumentException {
        StorageServer owner = servers.get(server);
        if (segment < 0 || segment >= MAX_SEGMENTS || owner.segment(segment) != null) {
            throw new InvalidArgumentException(
                    "segment " + segment + " of storage server " + server + " cannot be added");
        }
        Segment.checkSize(dataBytes);
        Segment added = new Segment(owner, segment, incarnation, dataBytes, preImages.epoch());
        added.fenced = !owner.suspect;
        owner.setSegment(added);
    }

    /**
     * Transition: the segment is there under another incarnation, and what it held is not. Blocks
     * of nodes are lost; when such nodes go, {@link #unreference} drops their blocks.
     */
    public void replaceSegment(int server, int segment, int incarnation, long dataBytes)
            throws InvalidArgumentException {
        Segment.checkSize(dataBytes);
        Segment old = servers.segment(server, segment);
        for (Slab slab : old.slabs) {
            preImages.touch(slab);
        }
        old.server.dropSegment(old);
        addSegment(server, segment, incarnation, dataBytes);
    }

    public boolean hasSegment(int server, int segment) {
        StorageServer owner = servers.find(server);
        return owner != null && owner.segment(segment) != null;
    }

    /** Numbers of a server's segments, ascending. */
    public int[] segments(int server) {
        return servers.get(server).segmentNumbers();
    }

    public int incarnation(int server, int segment) {
        return servers.segment(server, segment).incarnation;
    }

    public long dataBytes(int server, int segment) {
        return servers.segment(server, segment).dataBytes;
    }

    /** Number of slabs of a segment. */
    public int slabCount(int server, int segment) {
        return servers.segment(server, segment).slabs.length;
    }

    // ---- allocation and transitions of blocks ----

    /**
     * Chooses blocks and grants them. {@code out} gets each one, already granted.
     *
     * @return bytes of the blocks granted: at least one block, perhaps less than asked for
     * @throws io.crail.error.OutOfSpaceException if there is no free block; nothing has changed
     * @throws io.crail.error.BusyException if there is none now, but blocks are being revoked or
     *     servers have yet to report; nothing has changed
     */
    public long allocate(Allocation wish, BlockConsumer out) throws CrailException {
        return allocator.allocate(wish, out);
    }

    /** Transition: FREE to GRANTED under this counter. */
    public void grant(int server, int segment, int record, int length, int counter) {
        transitions.grant(servers.slab(server, segment, record), record, length, counter);
    }

    /** Transition: GRANTED to COMMITTED; nothing if it is committed. */
    public void commit(int server, int segment, int record, int length, long generation) {
        transitions.commit(servers.slab(server, segment, record), record, length, generation);
    }

    /**
     * Transition: GRANTED or COMMITTED to REVOKING. A block of another generation or incarnation is
     * not the one that the node had, and stays as it is.
     *
     * @return whether the block is to be revoked
     */
    public boolean unreference(int server, int segment, int record, int length, long generation) {
        return transitions.unreference(server, segment, record, length, generation);
    }

    /**
     * Transition: REVOKING or QUARANTINED to FREE, with the generation that the server has raised
     * it to; to RETIRED if that is the last one. Anything that is not news is ignored, so that
     * servers may repeat themselves.
     *
     * @return whether anything has changed
     */
    public boolean freed(int server, int segment, int record, int length, long newGeneration) {
        return transitions.freed(server, segment, record, length, newGeneration);
    }

    /**
     * Whether {@link #freed} would change anything. To be asked before it is logged: what is known
     * from reports makes some answers of servers old that would be new at a replay without them.
     */
    public boolean isNews(int server, int segment, int record, int length, long newGeneration) {
        return transitions.isNews(server, segment, record, length, newGeneration);
    }

    /**
     * Transition: REVOKING to QUARANTINED, until {@link #freed}.
     *
     * @return whether anything has changed
     */
    public boolean quarantine(int server, int segment, int record, int length, long generation) {
        return transitions.quarantine(server, segment, record, length, generation);
    }

    // ---- queries ----

    /** State of the block that starts at this record; FREE inside a block or an uncut slab. */
    public BlockState state(int server, int segment, int record) {
        Slab slab = servers.slab(server, segment, record);
        int block = slab.blockAt(Segment.slotOf(record));
        return block < 0 ? BlockState.FREE : slab.publicState(block);
    }

    /** The generation known for a record. */
    public long generation(int server, int segment, int record) {
        Slab slab = servers.slab(server, segment, record);
        return slab.segment.generation(slab, Segment.slotOf(record));
    }

    /**
     * Whether the bytes that were written under this generation are lost or out of reach. A server
     * that is expected has lost nothing yet.
     */
    public boolean isLost(int server, int segment, int record, long generation) {
        StorageServer owner = servers.find(server);
        if (owner == null || owner.state() == ServerState.DEAD) {
            return true;
        }
        Slab slab = servers.find(server, segment, record);
        return slab == null
                || slab.segment.generation(slab, Segment.slotOf(record)) != generation
                || slab.segment.isMismatched(record);
    }

    /**
     * Whether a block may be committed: granted under this generation, and its server is there with
     * the same incarnation and has not reported otherwise.
     */
    public boolean isCommittable(int server, int segment, int record, long generation) {
        if (isLost(server, segment, record, generation)) {
            return false;
        }
        Slab slab = servers.slab(server, segment, record);
        int block = slab.blockAt(Segment.slotOf(record));
        return block >= 0
                && slab.state(block) == Slab.GRANTED
                && slab.segment.reported
                && slab.segment.server.state() != ServerState.EXPECTED;
    }

    /** Passes the blocks of a cut slab; an uncut one has none. */
    public void visitSlab(int server, int segment, int slab, BlockVisitor visitor) {
        SlabWalk.blocks(servers.segment(server, segment).slabs[slab], visitor);
    }

    /** Passes all slots of a slab, cut or not. */
    public void visitMemory(int server, int segment, int slab, SlabWalk.Visitor visitor) {
        SlabWalk.memory(servers.segment(server, segment).slabs[slab], visitor);
    }

    /** Bytes of a storage class by state. Of dead servers only what is lost with them counts. */
    public Capacity capacity(int storageClass) {
        return Capacities.sum(storageClass, classes.of(storageClass));
    }

    /** What the servers of a storage class that are not dead have together, at no cost. */
    public ClassRoom room(int storageClass) {
        return classes.room(storageClass);
    }

    /** Bytes of one server by state. */
    public Capacity serverCapacity(int server) {
        StorageServer owner = servers.get(server);
        return Capacities.sum(owner.storageClass, owner);
    }

    /** Blocks of nodes on this server that are lost or out of reach. */
    public long lostBlocks(int server) {
        return Capacities.lostBlocks(servers.get(server));
    }

    /** Of these, the blocks of former incarnations: to be kept in a snapshot. */
    public long orphans(int server) {
        return servers.get(server).orphans;
    }

    /** Restores {@link #orphans} from a snapshot. */
    public void setOrphans(int server, long orphans) {
        servers.get(server).orphans = orphans;
    }

    /** Counts everything from scratch; throws IllegalStateException if a byte is missing. */
    public void checkConservation() {
        Conservation.check(servers, classes);
    }

    /** Begins to count a server's blocks anew; a count that was under way ends. */
    public Recount beginRecount(int server) {
        return servers.get(server).beginRecount();
    }

    /** The count under way, or null. */
    public @Nullable Recount recount(int server) {
        return servers.get(server).recount;
    }
}
