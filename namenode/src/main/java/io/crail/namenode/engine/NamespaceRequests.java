// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.NotEmptyException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.state.ChangeAttributes;
import io.crail.namenode.state.DeleteNode;
import io.crail.namenode.state.RenameNode;
import io.crail.namenode.state.SetLifetime;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.PathWalk;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Lookup, list, delete, rename, attributes: what concerns names and not bytes. */
final class NamespaceRequests {
    /** A page stops here, so that a container of long names cannot exceed a frame. */
    private static final int PAGE_BYTES = ProtocolLimits.MAX_CONTROL - (64 << 10);

    private final Core core;
    private final Paths paths;
    private final Quotas quotas;

    NamespaceRequests(Core core, Paths paths, Quotas quotas) {
        this.core = core;
        this.paths = paths;
        this.quotas = quotas;
    }

    /** The hottest request: reads the path in place and allocates nothing. */
    void lookup(Request request) throws CrailException {
        ByteBuffer path = request.take(Names.MAX_PATH);
        boolean byId = !path.hasRemaining();
        Node node = byId ? null : request.walk(core.state().tree(), path).node();
        if (node == null && !byId) {
            throw paths.missing(path);
        }
        int flags = request.takeByte();
        if (node == null) {
            node = paths.existing(request.takeLongIfPresent());
        }
        WireWriter reply = request.beginReply();
        node.encodeStatus(reply);
        if ((flags & Lookup.EXTENTS) != 0 && node instanceof FileNode file) {
            core.read(file);
            core.state().references().extents(reply, request.session().id(), file.extents(), 0);
        } else {
            reply.u16(0).u16(Extent.WIRE_SIZE);
        }
        core.endReply(request.connection());
    }

    void list(Request request) throws CrailException {
        ListEntries.Request wanted = ListEntries.Request.decode(request.control());
        Node node = paths.existing(request, wanted.path());
        if (!(node instanceof ContainerNode container) || !container.hasNames()) {
            throw new WrongNodeTypeException(
                    node.path()
                            + " is a "
                            + node.type()
                            + (node.type() == NodeType.TABLE
                                    ? ": scan its keys instead (kv ls)"
                                    : " and has no entries"));
        }
        Page page = new Page(request.beginReply(), wanted.limit(), wanted.cursor());
        boolean places = (wanted.flags() & ListEntries.PLACES) != 0;
        page.fill(container, places ? new LocatedEntries() : NamespaceRequests::encode);
        core.endReply(request.connection());
    }

    static void encode(Node entry, WireWriter writer) {
        writer.bytes(entry.name());
        entry.encodeStatus(writer);
    }

    /** Writes one entry of a page. */
    @FunctionalInterface
    interface EntryEncoder {
        void encode(Node entry, WireWriter writer);

        /** Whether the page shall end here. */
        default boolean isTired() {
            return false;
        }
    }

    /** A page being written: bool more, u16 count, records. */
    static final class Page {
        private final WireWriter writer;
        private final int limit;
        private final byte @Nullable [] cursor;
        private int count;
        private boolean full;

        Page(WireWriter writer, int limit, byte[] cursor) {
            this.writer = writer;
            this.limit = Math.max(1, Math.min(limit, ProtocolLimits.MAX_PAGE));
            this.cursor = cursor.length == 0 ? null : cursor;
        }

        void fill(ContainerNode container, EntryEncoder encoder) {
            int start = writer.position();
            writer.bool(false).u16(0);
            boolean more =
                    container.page(
                            cursor,
                            limit,
                            entry -> {
                                if (full
                                        || writer.position() - start > PAGE_BYTES
                                        || encoder.isTired()) {
                                    full = true;
                                    return;
                                }
                                int mark = writer.beginRecord();
                                encoder.encode(entry, writer);
                                writer.endRecord(mark);
                                count++;
                            });
            writer.buffer().put(start, (byte) (more || full ? 1 : 0));
            writer.setU16(start + 1, count);
        }
    }

    void delete(Request request) throws CrailException {
        Delete.Request wanted = Delete.Request.decode(request.control());
        Node node = paths.existing(request, wanted.path());
        if (node == core.state().tree().root()) {
            throw new InvalidArgumentException(
                    "the root cannot be removed; remove its entries instead");
        }
        if (node instanceof ContainerNode container
                && container.size() > 0
                && !wanted.recursive()) {
            throw new NotEmptyException(
                    node.path()
                            + " has "
                            + container.size()
                            + " entries; delete recursively to remove them, too");
        }
        core.commit(request, new DeleteNode(node.id(), core.millis()));
    }

    void rename(Request request) throws CrailException {
        Rename.Request wanted = Rename.Request.decode(request.control());
        Node source = paths.existing(request, wanted.source());
        if (source == core.state().tree().root()) {
            throw new InvalidArgumentException("the root cannot be renamed");
        }
        PathWalk walk = paths.walk(request, wanted.target());
        Node target = walk.node();
        if (target == source) {
            source.encodeStatus(request.beginReply());
            core.endReply(request.connection());
            return;
        }
        ContainerNode parent = paths.parentOf(walk, wanted.target());
        int depth = 0; // of the source, at its new place
        for (Node up = parent; up != null; up = up.parent()) {
            depth++;
            if (up == source) {
                throw new InvalidArgumentException(
                        "cannot move "
                                + source.path()
                                + " below itself, to "
                                + Paths.text(wanted.target()));
            }
        }
        Paths.checkMember(parent, source.type());
        checkDepth(source, depth);
        if (target != null) {
            checkReplaceable(source, target, (wanted.flags() & Rename.REPLACE) != 0);
        }
        quotas.checkMove(source, parent, target);
        RenameNode moved =
                new RenameNode(
                        source.id(),
                        parent.id(),
                        paths.newName(walk, wanted.target()),
                        target == null ? 0 : target.id(),
                        core.millis());
        boolean unbind = (wanted.flags() & Rename.UNBIND) != 0 && source.boundSession() != 0;
        core.commit(
                request,
                LifeWishes.changed(
                        core, moved, unbind ? SetLifetime.SESSION : 0, LifeWishes.FOREVER, 0));
    }

    /** A deeper node could not be named any more, nor be removed by name. */
    private static void checkDepth(Node source, int depth) throws InvalidNameException {
        int height = source instanceof ContainerNode container ? container.height() : 0;
        if (depth + height > Names.MAX_DEPTH) {
            throw new InvalidNameException(
                    "cannot move %s: what is below it would be %d names deep, at most %d are allowed"
                            .formatted(source.path(), depth + height, Names.MAX_DEPTH));
        }
    }

    private static void checkReplaceable(Node source, Node target, boolean replace)
            throws CrailException {
        if (!replace) {
            throw new NodeExistsException(
                    "target " + target.path() + " exists; allow replacing, or remove it first");
        }
        if (source.type() != target.type()) {
            throw new WrongNodeTypeException(
                    "a "
                            + source.type()
                            + " cannot replace "
                            + target.path()
                            + ", which is a "
                            + target.type());
        }
        if (target instanceof ContainerNode container && container.size() > 0) {
            throw new NotEmptyException(
                    "target " + target.path() + " has " + container.size() + " entries");
        }
    }

    void setAttributes(Request request) throws CrailException {
        SetAttributes.Request wanted = SetAttributes.Request.decode(request.control());
        Node node = paths.existing(request, wanted.path());
        int mask = wanted.mask();
        if ((mask & SetAttributes.LIFETIME) != 0) {
            LifeWishes.checkLifetime(wanted.lifetimeMillis());
        }
        int ends =
                ((mask & SetAttributes.LIFETIME) != 0 ? SetLifetime.TIME : 0)
                        | ((mask & SetAttributes.UNBIND) != 0 ? SetLifetime.SESSION : 0);
        if (ends != 0 && node == core.state().tree().root()) {
            throw new InvalidArgumentException("the root has no end: it cannot be removed");
        }
        Attributes attributes = node.attributes();
        if ((mask & SetAttributes.MODE) != 0) {
            attributes = attributes.withMode(wanted.mode() & 07777);
        }
        if ((mask & SetAttributes.STORAGE_CLASS) != 0) {
            attributes = attributes.withStorageClass(Paths.storageClass(wanted.storageClass()));
        }
        if ((mask & SetAttributes.OWNER) != 0) {
            attributes = attributes.withOwner(wanted.owner());
        }
        if ((mask & SetAttributes.GROUP) != 0) {
            attributes = attributes.withGroup(wanted.group());
        }
        ChangeAttributes change =
                new ChangeAttributes(
                        node.id(),
                        attributes,
                        (mask & SetAttributes.MODIFIED) != 0
                                ? wanted.modifiedMillis()
                                : node.modifiedMillis(),
                        (mask & SetAttributes.ACCESSED) != 0
                                ? wanted.accessedMillis()
                                : node.accessedMillis());
        core.commit(request, LifeWishes.changed(core, change, ends, wanted.lifetimeMillis(), 0));
    }

    static NoSuchNodeException gone(long id) {
        return new NoSuchNodeException("node " + id + " does not exist any more");
    }
}
