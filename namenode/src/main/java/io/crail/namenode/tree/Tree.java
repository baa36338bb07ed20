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
 * The tree of nodes: linking, unlinking, subtree totals, and nodes by id.
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

    private final NameHash hash;
    private final InlineMemory inline;
    private final AttributePool pool = new AttributePool();
    private final LongMap<Node> byId = new LongMap<>();
    private final ExtraFields extras = new ExtraFields(this);
    private final ArrayDeque<Node> detached = new ArrayDeque<>();
    private final SnapshotWalk walk = new SnapshotWalk();
    private final FileChanges files = new FileChanges(this);
    private final StreamChanges streams = new StreamChanges(this);
    private final Splicing splicing = new Splicing(this);
    private final ContainerNode root;
    private final BlockClasses classes = new BlockClasses();
    private final UseClock useClock = new UseClock(classes);
    private final Accounts accounts;

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
        return walk.nodes();
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
        walk.add(node);
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
        walk.remove(node);
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

    public void setAttributes(Node node, Attributes attributes) {
        touch(node);
        Extras own = node.extras();
        if (own == null) {
            node.attributes = pool.intern(attributes);
        } else {
            own.shared = pool.intern(attributes);
        }
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

    /** Changes of files. */
    public FileChanges files() {
        return files;
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

    /** For snapshots. */
    public SnapshotWalk walk() {
        return walk;
    }

    /** Must be called before any change of {@code node}. */
    void touch(Node node) {
        walk.touch(node);
    }
}
