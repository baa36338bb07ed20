// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.OutOfSpaceException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.inline.InlineMemory;
import io.crail.namenode.log.Durability;
import io.crail.namenode.session.Session;
import io.crail.namenode.session.Sessions;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.StreamRun;
import io.crail.namenode.tree.Tree;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Everything the namenode remembers. Changed by {@link Mutation}s only; owned by the engine thread.
 *
 * <p>When the log cannot be written the whole object is dropped and recovered anew, so nothing
 * outside may keep references into it across requests.
 */
public final class State {
    /** Bytes of frames that one STREAM keeps inline: a snapshot saves them at once. */
    public static final int MAX_STREAM_INLINE = 4 << 20;

    /** More than a log can hold that no disk has seen; ids of nodes have 48 bits. */
    private static final long SKIPPED_NUMBERS = 1L << 28;

    private final Tree tree;
    private final BlockMap blocks;
    private final Servers servers = new Servers();
    private final Sessions sessions = new Sessions();
    private final References references;
    private final Leases leases;
    private final Removal removal;
    private final LifeSpans lifeSpans;

    private long epoch;
    private String bootId = "";
    private Tiering tiering = Tiering.AS_CONFIGURED;
    private Durability durability = Durability.NONE;
    private long lastNodeId = Tree.ROOT_ID;
    private long lastSessionId;
    private long lastVersion;

    /** Handles of values copied for the mutation that comes next, in its order. */
    private final ArrayDeque<Long> preparedInline = new ArrayDeque<>();

    /** Members whose handles were closed, and which count them as readers until they are reaped. */
    private final ArrayDeque<FileNode> released = new ArrayDeque<>();

    public State(Tree tree, BlockMap blocks) {
        this.tree = tree;
        this.blocks = blocks;
        tree.setStorageClasses(servers::storageClass, servers::hasSeveralClasses);
        this.references = new References(servers, blocks);
        this.leases = new Leases(this);
        this.removal = new Removal(this);
        this.lifeSpans = new LifeSpans(this);
    }

    public Tree tree() {
        return tree;
    }

    public BlockMap blocks() {
        return blocks;
    }

    public Servers servers() {
        return servers;
    }

    public References references() {
        return references;
    }

    Leases leases() {
        return leases;
    }

    Removal removal() {
        return removal;
    }

    LifeSpans lifeSpans() {
        return lifeSpans;
    }

    public InlineMemory inline() {
        return tree.inline();
    }

    // Counters. A mutation names the numbers it uses; applying it moves the counters behind them.

    public long epoch() {
        return epoch;
    }

    public String bootId() {
        return bootId;
    }

    /** What the log records of this epoch survive. */
    public Durability durability() {
        return durability;
    }

    /** What operators have set of the movement between storage classes. */
    public Tiering tiering() {
        return tiering;
    }

    void setTiering(Tiering value) {
        tiering = value;
    }

    void setEpoch(long value, String boot, Durability level) {
        durability = level;
        epoch = value;
        bootId = boot;
        servers.beginEpoch(value);
    }

    public long lastNodeId() {
        return lastNodeId;
    }

    void useNodeId(long id) {
        lastNodeId = Math.max(lastNodeId, id);
    }

    public long lastVersion() {
        return lastVersion;
    }

    void useVersion(long version) {
        lastVersion = Math.max(lastVersion, version);
    }

    public long lastSessionId() {
        return lastSessionId;
    }

    void useSessionId(long id) {
        lastSessionId = Math.max(lastSessionId, id);
    }

    /** Leaves out what may have been given to somebody in log records that are lost. */
    void skipNumbers() {
        lastNodeId += SKIPPED_NUMBERS;
        lastVersion += SKIPPED_NUMBERS;
        lastSessionId += SKIPPED_NUMBERS;
    }

    // Nodes.

    /** A node that a mutation names; its absence is a defect. */
    Node node(long id) {
        Node node = tree.byId(id);
        if (node == null) {
            throw new IllegalStateException("no node " + id);
        }
        return node;
    }

    /**
     * Copies an inline value before its mutation is made, so that a lack of memory is an error of
     * the request and not of the mutation. The next {@link PutInline} or {@link PutMany} takes the
     * copies in their order.
     */
    public void prepareInline(ByteBuffer value) throws OutOfSpaceException {
        preparedInline.add(inline().allocate(value));
    }

    long allocateInline(ByteBuffer value) {
        Long prepared = preparedInline.poll();
        if (prepared != null) {
            return prepared;
        }
        try {
            return inline().allocate(value);
        } catch (OutOfSpaceException e) {
            // Recovery is not limited but by the JVM; a live mutation has prepared its copy.
            throw (Error)
                    new OutOfMemoryError("recovery needs more direct memory: " + e.getMessage())
                            .initCause(e);
        }
    }

    /** As {@link #prepareInline}, for frames to be appended to a stream. */
    public void prepareFrames(StreamNode stream, ByteBuffer frames) throws OutOfSpaceException {
        prepareInline(withGrowing(stream, frames));
    }

    long allocateFrames(StreamNode stream, ByteBuffer frames) {
        return !preparedInline.isEmpty()
                ? allocateInline(frames)
                : allocateInline(withGrowing(stream, frames));
    }

    /** The frames behind those of the run that they are put into. */
    private ByteBuffer withGrowing(StreamNode stream, ByteBuffer frames) {
        StreamRun growing = stream.growing(frames.remaining());
        if (growing == null) {
            return frames;
        }
        ByteBuffer whole = ByteBuffer.allocate(growing.bytes() + frames.remaining());
        inline().read(growing.handle(), whole);
        return whole.put(frames.duplicate()).flip();
    }

    /** Gives {@code made} its key; a value that had it goes. */
    void swapValue(ContainerNode table, byte[] key, KeyValueNode made) {
        Node old = table.find(key);
        if (old == null) {
            tree.link(table, key, made);
        } else {
            tree.replaceValue((KeyValueNode) old, made);
            lifeSpans.forget(old);
            removal.dropValue((KeyValueNode) old);
        }
    }

    /** Members to be taken from their readers in slices: see {@link ReapMembers}. */
    public ArrayDeque<FileNode> released() {
        return released;
    }

    // Sessions.

    public @Nullable Session session(long id) {
        return sessions.get(id);
    }

    public Sessions sessions() {
        return sessions;
    }

    void addSession(Session session) {
        sessions.add(session);
        useSessionId(session.id());
    }

    /** A session that a mutation names, about to be changed; its absence is a defect. */
    Session sessionOf(long id) {
        Session session = sessions.get(id);
        if (session == null) {
            throw new IllegalStateException("no session " + id);
        }
        sessions.touch(session);
        return session;
    }

    void endSession(long id, long time) {
        Session session = sessionOf(id);
        leases.releaseAll(session);
        lifeSpans.endBound(session, time);
        sessions.remove(session);
    }
}
