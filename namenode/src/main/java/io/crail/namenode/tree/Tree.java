// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.namenode.index.LongMap;
import io.crail.namenode.index.NameHash;
import io.crail.namenode.index.NameIndex;
import io.crail.namenode.inline.InlineMemory;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.node.NodeType;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The tree of nodes: linking, unlinking, subtree totals, nodes by id, and the hook of snapshots.
 *
 * <p>Callers (the mutations of {@code state}) have checked that a change is allowed; a violated
 * precondition here is a defect and throws {@link IllegalStateException}.
 *
 * <p>Nodes below a removed container are not visited at once: the container moves to the {@link
 * #detached} queue and is taken apart in slices. Containers found inside join the queue, and so do
 * files of many extents.
 */
public final class Tree {
    public static final long ROOT_ID = 1;

    /** So many blocks take a snapshot as long as one more node. */
    private static final int BLOCKS_LIKE_A_NODE = 16;

    /** Told before a node changes or goes, and only if the running snapshot lacks it. */
    @FunctionalInterface
    public interface SnapshotHook {
        void save(Node node);
    }

    private final NameHash hash;
    private final InlineMemory inline;
    private final AttributePool pool = new AttributePool();
    private final LongMap<Node> byId = new LongMap<>();
    private final ExtraFields extras = new ExtraFields(this);
    private final ArrayDeque<Node> detached = new ArrayDeque<>();
    private final StreamChanges streams = new StreamChanges(this);
    private final Splicing splicing = new Splicing(this);
    private final ContainerNode root;
    private final BlockClasses classes = new BlockClasses();
    private final UseClock useClock = new UseClock(classes);
    private final Accounts accounts;

    private @Nullable Node newest;
    private @Nullable Node cursor;
    private @Nullable SnapshotHook hook;
    private int snapshot;
    private long nodes;

    /** A tree of a root that was made at time 0. */
    public Tree(NameHash hash, InlineMemory inline, Attributes rootAttributes) {
        this.hash = hash;
        this.inline = inline;
        this.root = newContainer(ROOT_ID, NodeType.DIRECTORY, rootAttributes, 0, 0);
        this.accounts = new Accounts(root, classes);
    }

    /** When nodes were used. */
    public UseClock useClock() {
        return useClock;
    }

    public ContainerNode root() {
        return root;
    }

    /** Tells of which storage class a server is, and whether any is of another class than 0. */
    public void setStorageClasses(IntUnaryOperator ofServer, BooleanSupplier several) {
        classes.set(ofServer, several);
    }

    /** Sums over all nodes that have a name, the root included. */
    public Totals totals() {
        return accounts.all();
    }

    /** The recount of a container that is under way, else a new one. */
    public SlicedRecount recount(ContainerNode container) {
        return accounts.recounts().of(container, new TotalsRecount(this));
    }

    /** Forgets a recount, complete or not. */
    public void endRecount(SlicedRecount recount) {
        accounts.recounts().end(recount);
    }

    /** Nodes in memory: those that have a name, and those that are still to be taken apart. */
    public long nodes() {
        return nodes;
    }

    public InlineMemory inline() {
        return inline;
    }

    /** Who is due when. */
    public Lifetimes lifetimes() {
        return extras.lifetimes();
    }

    /** What few nodes have. */
    public ExtraFields extras() {
        return extras;
    }

    /** A node by id: any but inline values, which are found by table and key only. */
    public @Nullable Node byId(long id) {
        return byId.get(id);
    }

    /**
     * Whether a path leads to a node. What is below a removed container keeps its parents until it
     * is taken apart, so they are followed up to the root.
     */
    public boolean isNamed(Node node) {
        Node top = node;
        while (top.parent != null) {
            top = top.parent;
        }
        return top == root;
    }

    // Making nodes. A new node has no parent until link().

    public ContainerNode newContainer(
            long id, NodeType type, Attributes attributes, long created, long modified) {
        ContainerNode node =
                new ContainerNode(
                        id,
                        type,
                        pool.intern(attributes),
                        new NameIndex<>(hash),
                        created,
                        modified);
        register(node, true);
        return node;
    }

    public FileNode newFile(
            long id, Attributes attributes, ExtentList extents, long created, long modified) {
        FileNode node = new FileNode(id, pool.intern(attributes), extents, created, modified);
        register(node, true);
        return node;
    }

    public StreamNode newStream(
            long id, Attributes attributes, Retention retention, long created, long modified) {
        StreamNode node = new StreamNode(id, pool.intern(attributes), retention, created, modified);
        register(node, true);
        streams.tend(node);
        return node;
    }

    public KeyValueNode newInlineValue(
            long id, Attributes attributes, long modified, long version, long handle, int length) {
        KeyValueNode node =
                new KeyValueNode(
                        id, pool.intern(attributes), modified, version, handle, length, null);
        register(node, false);
        return node;
    }

    public KeyValueNode newBlockValue(
            long id, Attributes attributes, long modified, long version, ExtentList extents) {
        KeyValueNode node =
                new KeyValueNode(
                        id,
                        pool.intern(attributes),
                        modified,
                        version,
                        KeyValueNode.NOT_INLINE,
                        0,
                        extents);
        useClock.used(extents);
        register(node, true);
        return node;
    }

    private void register(Node node, boolean withId) {
        node.snapshot = snapshot;
        node.older = newest;
        if (newest != null) {
            newest.newer = node;
        }
        newest = node;
        nodes++;
        if (withId && byId.put(node.id, node) != null) {
            throw new IllegalStateException("node id " + node.id + " exists already");
        }
    }

    // Names.

    /** Gives a node without a parent a name. */
    public void link(ContainerNode parent, byte[] name, Node node) {
        if (node.parent != null || node == root) {
            throw new IllegalStateException("node " + node.id + " has a name already");
        }
        touch(node);
        node.setName(name, hash.hash(name));
        int before = parent.height();
        if (!parent.children.add(node)) {
            throw new IllegalStateException("name exists in " + parent.path());
        }
        if (node instanceof ContainerNode container && container.type() == NodeType.DIRECTORY) {
            parent.addHeight(container.height());
        }
        updateHeights(parent, before);
        node.parent = parent;
        accounts.node(parent, node, +1);
    }

    /** Takes a node's name away; the node stays until {@link #forget} or {@link #detach}. */
    public void unlink(Node node) {
        ContainerNode parent = node.parent;
        if (parent == null) {
            throw new IllegalStateException("node " + node.id + " has no name");
        }
        touch(node);
        int before = parent.height();
        parent.children.remove(node);
        if (node instanceof ContainerNode container && container.type() == NodeType.DIRECTORY) {
            parent.removeHeight(container.height());
        }
        updateHeights(parent, before);
        accounts.node(parent, node, -1);
        node.parent = null;
    }

    /** Puts {@code value} into the place of {@code old}, which loses its name. */
    public void replaceValue(KeyValueNode old, KeyValueNode value) {
        ContainerNode parent = old.parent;
        if (parent == null) {
            throw new IllegalStateException("value " + old.id + " has no key");
        }
        touch(old);
        value.setName(old.name(), old.nameHash());
        parent.children.replace(old, value);
        value.parent = parent;
        old.parent = null;
        ClassBytes blocks = blocksOf(value);
        blocks.add(blocksOf(old), -1);
        accounts.bytes(parent, value, value.length() - old.length(), blocks);
    }

    /** Removes every trace of a node that has no name and no children; frees its inline bytes. */
    public void forget(Node node) {
        if (node.parent != null || (node instanceof ContainerNode c && c.size() > 0)) {
            throw new IllegalStateException("node " + node.id + " is still in use");
        }
        touch(node);
        nodes--;
        if (cursor == node) {
            cursor = node.older;
        }
        if (node.newer != null) {
            node.newer.older = node.older;
        } else {
            newest = node.older;
        }
        if (node.older != null) {
            node.older.newer = node.newer;
        }
        if (node instanceof KeyValueNode value && value.isInline()) {
            inline.free(value.inlineHandle);
        } else {
            byId.remove(node.id);
        }
        if (node instanceof StreamNode stream) {
            streams.forget(stream);
        }
    }

    /** Queues a container or file that has lost its name for being taken apart. */
    public void detach(Node node) {
        assert node.parent == null;
        if (node instanceof FileNode || node instanceof StreamNode) {
            byId.remove(node.id); // Children find their container by id; nobody may find others.
        }
        if (node instanceof StreamNode stream) {
            streams.detach(stream);
        }
        detached.addLast(node);
    }

    /** The node to take apart next, or null. */
    public @Nullable Node nextDetached() {
        return detached.peekFirst();
    }

    public void forgetDetached(Node node) {
        if (detached.pollFirst() != node) {
            throw new IllegalStateException("not the first detached node");
        }
        forget(node);
    }

    /** Detached nodes in the order of the queue. */
    public Iterable<Node> detached() {
        return detached;
    }

    // Changes of a node.

    public void setModified(Node node, long millis) {
        touch(node);
        node.modifiedMillis = millis;
    }

    /** For the root, which is there before anything has happened. */
    public void setCreated(ContainerNode container, long millis) {
        touch(container);
        container.createdMillis = millis;
    }

    public void setAccessed(Node node, long millis) {
        if (node instanceof FileNode file) {
            touch(node);
            file.accessedMillis = millis;
        }
    }

    public void setAttributes(Node node, Attributes attributes) {
        touch(node);
        Extras own = node.extras();
        if (own == null) {
            node.attributes = pool.intern(attributes);
        } else {
            own.shared = pool.intern(attributes);
        }
    }

    /**
     * Changes a file's extents by {@code change}, which appends, and its length, version and totals
     * after it.
     */
    public void changeExtents(FileNode file, long version, Consumer<ExtentList> change) {
        touch(file);
        int before = file.extents.count();
        change.accept(file.extents);
        useClock.used(file.extents);
        long length = file.extents.length();
        long allocated = file.extents.allocated();
        if (file.parent != null) {
            accounts.bytes(
                    file.parent,
                    file,
                    length - file.length,
                    classes.of(file.extents, before, file.extents.count()));
        }
        file.length = length;
        file.allocated = allocated;
        file.version = version;
    }

    /** Takes extents away from a detached file, whose blocks are being freed. */
    public void removeLastExtents(FileNode file, int extents) {
        assert file.parent == null;
        touch(file);
        for (int i = 0; i < extents; i++) {
            file.extents.removeLast();
        }
        file.length = file.extents.length();
        file.allocated = file.extents.allocated();
    }

    /** Puts the bytes of one extent into another block; what the node holds stays the same. */
    public void moveExtent(Node node, int index, BlockId id, int blockLength, long generation) {
        touch(node);
        ExtentList list = Objects.requireNonNull(node.extents(), "a node without blocks");
        ClassBytes blocks = new ClassBytes();
        blocks.add(classes.of(list.server(index)), -list.blockLength(index));
        blocks.add(classes.of(id.server()), blockLength);
        list.replace(index, id, blockLength, generation);
        if (node.parent != null) {
            accounts.bytes(node.parent, node, 0, blocks);
        }
        if (node instanceof FileNode file) {
            file.allocated = list.allocated();
        } else if (node instanceof StreamNode stream) {
            stream.recount();
        }
    }

    /** Passes a slice of the nodes to {@code out}, as {@link LongMap#visit} does. */
    public long visit(long at, Consumer<? super Node> out) {
        return byId.visit(at, out);
    }

    public void setSealed(FileNode file, boolean sealed) {
        touch(file);
        file.sealed = sealed;
    }

    public void setVersion(FileNode file, long version) {
        touch(file);
        file.version = version;
    }

    public void setUnlinked(FileNode file, long millis) {
        touch(file);
        file.unlinked = true;
        file.unlinkedMillis = millis;
    }

    /** Derived from the sessions; not part of snapshots. */
    public void setLease(FileNode file, long session, long handle) {
        file.leaseSession = session;
        file.leaseHandle = handle;
    }

    /** Derived from the sessions; not part of snapshots. */
    public void addReader(FileNode file, int by) {
        file.readers += by;
        assert file.readers >= 0;
    }

    /** Changes of streams. */
    public StreamChanges streams() {
        return streams;
    }

    /** Joining and cutting files. */
    public Splicing splicing() {
        return splicing;
    }

    /** Passes a changed height on upwards, as far as it changes anything. */
    private static void updateHeights(ContainerNode changed, int heightBefore) {
        ContainerNode node = changed;
        int before = heightBefore;
        while (node.parent != null && node.height() != before) {
            ContainerNode up = node.parent;
            int upBefore = up.height();
            up.removeHeight(before);
            up.addHeight(node.height());
            node = up;
            before = upBefore;
        }
    }

    /** Bytes of the blocks that a node itself holds, by storage class. */
    public ClassBytes blocksOf(Node node) {
        return classes.of(node);
    }

    BlockClasses classes() {
        return classes;
    }

    Accounts accounts() {
        return accounts;
    }

    // Snapshots.

    /**
     * Starts a walk over the nodes that exist now. From here on {@code hook} is told of every node
     * before its first change.
     */
    public void beginSnapshot(SnapshotHook hook) {
        if (this.hook != null) {
            throw new IllegalStateException("a snapshot is running");
        }
        this.hook = hook;
        snapshot++;
        cursor = newest;
    }

    /**
     * Saves up to {@code limit} nodes, fewer if they have many blocks; false when all nodes have
     * been visited.
     */
    public boolean continueSnapshot(int limit) {
        for (int i = 0; i < limit && cursor != null; i++) {
            Node node = cursor;
            cursor = node.older;
            i += node.blocks() / BLOCKS_LIKE_A_NODE;
            touch(node);
        }
        return cursor != null;
    }

    public void endSnapshot() {
        hook = null;
        cursor = null;
    }

    /** Must be called before any change of {@code node}. */
    public void touch(Node node) {
        if (node.snapshot != snapshot) {
            node.snapshot = snapshot;
            if (hook != null) {
                hook.save(node);
            }
        }
    }
}
