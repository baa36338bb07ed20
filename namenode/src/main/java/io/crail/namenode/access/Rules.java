// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.access;

import static io.crail.namenode.access.Asker.READ;
import static io.crail.namenode.access.Asker.SEARCH;
import static io.crail.namenode.access.Asker.WRITE;

import io.crail.error.CrailException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.PathWalk;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.GetXattrs;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.MultiGet;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.Scan;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.message.StreamCreate;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.message.StreamTrim;
import io.crail.protocol.message.Summary;
import io.crail.protocol.message.Truncate;
import io.crail.protocol.node.Xattrs;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What each type of request needs. Those of POSIX, as HDFS has them; where this differs, because a
 * request must not cost a walk over a tree, it is said.
 */
final class Rules {
    /** Looks at the fields of a request. */
    @FunctionalInterface
    interface Rule {
        void check(Asker asker, WireReader fields) throws CrailException;
    }

    /** Members that one page of a MULTIFILE holds at most. */
    private static final int MAX_MEMBERS = 1024;

    /** For everybody: concerns no node, or stands on a handle that was given after a check. */
    static final Rule FREE = (asker, fields) -> {};

    /** Storage servers ask this, or clients ask it of them: the engine refuses all others. */
    static final Rule NOT_OF_CLIENTS = (asker, fields) -> {};

    private static final Map<MessageType, Rule> ALL = new EnumMap<>(MessageType.class);

    static {
        connections();
        names();
        bytes();
        streams();
        values();
        administration();
    }

    private Rules() {}

    /** All of them; what is missing here is refused. */
    static Map<MessageType, Rule> all() {
        return ALL;
    }

    private static void put(Rule rule, MessageType... types) {
        for (MessageType type : types) {
            ALL.put(type, rule);
        }
    }

    private static void connections() {
        put(
                FREE,
                MessageType.HELLO,
                MessageType.AUTHENTICATE,
                MessageType.PING,
                MessageType.SESSION_OPEN,
                MessageType.SESSION_CLOSE,
                MessageType.KEEP_ALIVE,
                MessageType.SERVER_TABLE,
                MessageType.STATISTICS,
                MessageType.TIER_STATUS);
        put(
                NOT_OF_CLIENTS,
                MessageType.REGISTER_SERVER,
                MessageType.REGISTER_SEGMENT,
                MessageType.HEARTBEAT,
                MessageType.AWAIT_COMMANDS,
                MessageType.BLOCKS_FREED,
                MessageType.READ,
                MessageType.WRITE,
                MessageType.ATTACH,
                MessageType.DETACH,
                MessageType.AUDIT_SEGMENT);
    }

    private static void names() {
        put((asker, f) -> lookup(asker, Lookup.Request.decode(f)), MessageType.LOOKUP);
        put(
                (asker, f) -> asker.needAt(ListEntries.Request.decode(f).path(), READ | SEARCH),
                MessageType.LIST);
        put((asker, f) -> summary(asker, Summary.Request.decode(f)), MessageType.SUMMARY);
        put((asker, f) -> create(asker, Create.Request.decode(f)), MessageType.CREATE);
        put((asker, f) -> delete(asker, Delete.Request.decode(f)), MessageType.DELETE);
        put((asker, f) -> rename(asker, Rename.Request.decode(f)), MessageType.RENAME);
        put((asker, f) -> concat(asker, Concat.Request.decode(f)), MessageType.CONCAT);
        put(
                (asker, f) -> asker.needAt(Truncate.Request.decode(f).path(), WRITE),
                MessageType.TRUNCATE);
        put(
                (asker, f) -> setAttributes(asker, SetAttributes.Request.decode(f)),
                MessageType.SET_ATTRIBUTES);
        put((asker, f) -> setXattr(asker, SetXattr.Request.decode(f)), MessageType.SET_XATTR);
        put((asker, f) -> getXattrs(asker, GetXattrs.Request.decode(f)), MessageType.GET_XATTRS);
    }

    private static void lookup(Asker asker, Lookup.Request wanted) throws CrailException {
        if (wanted.path().length == 0) {
            asker.needByNothingButId(wanted.node(), 0);
        } else {
            asker.reach(wanted.path());
        }
    }

    private static void summary(Asker asker, Summary.Request wanted) throws CrailException {
        if (asker.node(wanted.path()) instanceof ContainerNode container) {
            asker.need(container, READ | SEARCH);
        }
    }

    private static void create(Asker asker, Create.Request wanted) throws CrailException {
        PathWalk walk = asker.reach(wanted.path());
        Node existing = walk.node();
        ContainerNode parent = walk.parent();
        if (existing != null && (wanted.flags() & Create.EXISTING_OK) != 0) {
            return;
        }
        if (existing instanceof ContainerNode multiFile
                && (wanted.flags() & Create.GENERATE_NAME) != 0) {
            asker.need(multiFile, WRITE | SEARCH);
        }
        if (existing != null && (wanted.flags() & Create.OVERWRITE) != 0) {
            asker.needToRemove(existing);
            asker.need(existing, WRITE);
        } else if (existing == null && parent != null) {
            asker.need(parent, WRITE | SEARCH);
        }
        if (!wanted.owner().isEmpty() && !asker.is(wanted.owner())) {
            asker.needSuperuser("give a new node to user " + wanted.owner());
        }
        if (!wanted.group().isEmpty()) {
            asker.needGroup(wanted.group(), "give a new node");
        }
    }

    /** What is further below is not asked: a removal must not cost a walk. */
    private static void delete(Asker asker, Delete.Request wanted) throws CrailException {
        Node node = asker.node(wanted.path());
        if (node == null) {
            return;
        }
        asker.needToRemove(node);
        if (node instanceof ContainerNode container && container.size() > 0) {
            asker.need(container, READ | WRITE | SEARCH);
        }
    }

    private static void rename(Asker asker, Rename.Request wanted) throws CrailException {
        Node source = asker.node(wanted.source());
        PathWalk walk = asker.reach(wanted.target());
        Node target = walk.node();
        ContainerNode parent = walk.parent();
        if (source != null) {
            asker.needToRemove(source);
        }
        if (target != null) {
            asker.needToRemove(target);
        } else if (parent != null) {
            asker.need(parent, WRITE | SEARCH);
        }
    }

    /** What is in a source can be read through the target then, and nowhere else. */
    private static void concat(Asker asker, Concat.Request wanted) throws CrailException {
        asker.needAt(wanted.target(), WRITE);
        for (Concat.Source each : wanted.sources()) {
            Node source = asker.node(each.path());
            if (source != null) {
                asker.need(source, READ | WRITE);
                asker.needToRemove(source);
            }
        }
    }

    private static void setAttributes(Asker asker, SetAttributes.Request wanted)
            throws CrailException {
        Node node = asker.node(wanted.path());
        if (node == null) {
            return;
        }
        int mask = wanted.mask();
        if ((mask & (SetAttributes.MODE | SetAttributes.GROUP)) != 0) {
            asker.needToOwn(node);
        }
        if ((mask & SetAttributes.GROUP) != 0) {
            asker.needGroup(wanted.group(), "give " + node.path());
        }
        if ((mask & SetAttributes.OWNER) != 0) {
            asker.needSuperuser("give " + node.path() + " to user " + wanted.owner());
        }
        if ((mask & (SetAttributes.LIFETIME | SetAttributes.UNBIND)) != 0) {
            asker.needToRemove(node); // It is a removal at another time.
        }
        int others = SetAttributes.STORAGE_CLASS | SetAttributes.MODIFIED | SetAttributes.ACCESSED;
        if ((mask & others) != 0) {
            asker.need(node, WRITE);
        }
    }

    private static void setXattr(Asker asker, SetXattr.Request wanted) throws CrailException {
        asker.needAt(wanted.path(), WRITE);
        trusted(asker, wanted.name());
    }

    private static void getXattrs(Asker asker, GetXattrs.Request wanted) throws CrailException {
        asker.needAt(wanted.path(), READ);
        trusted(asker, wanted.name());
    }

    private static void trusted(Asker asker, String name) throws CrailException {
        if (name.startsWith(Xattrs.TRUSTED)) {
            asker.needSuperuser("use extended attribute " + name);
        }
    }

    private static void bytes() {
        put((asker, f) -> open(asker, Open.Request.decode(f)), MessageType.OPEN);
        put((asker, f) -> grant(asker, Grant.Request.decode(f)), MessageType.GRANT);
        put(FREE, MessageType.COMMIT, MessageType.ABANDON);
        put(
                (asker, f) -> openMembers(asker, OpenMembers.Request.decode(f)),
                MessageType.OPEN_MEMBERS);
        put((asker, f) -> getExtents(asker, GetExtents.Request.decode(f)), MessageType.GET_EXTENTS);
        put(
                (asker, f) -> awaitLength(asker, AwaitLength.Request.decode(f)),
                MessageType.AWAIT_LENGTH);
    }

    private static void open(Asker asker, Open.Request wanted) throws CrailException {
        int rights = wanted.mode() == Open.READ ? READ : WRITE;
        if (wanted.path().length == 0) {
            asker.needByNothingButId(wanted.node(), rights);
        } else {
            asker.needAt(wanted.path(), rights);
        }
    }

    /** For a lease, which was given after a check; for a new value; for the copy of a block. */
    private static void grant(Asker asker, Grant.Request wanted) throws CrailException {
        if (wanted.handle() != 0) {
            return;
        }
        if (wanted.node() == 0) {
            asker.needAt(wanted.table(), WRITE);
        } else {
            asker.needSuperuser("copy blocks of node " + wanted.node());
        }
    }

    /** Looks at the members that the page may hold, which are bounded. */
    private static void openMembers(Asker asker, OpenMembers.Request wanted) throws CrailException {
        Node node = wanted.node() == 0 ? asker.node(wanted.path()) : asker.nodeById(wanted.node());
        if (!(node instanceof ContainerNode container)) {
            return; // The request itself says what is wrong.
        }
        asker.need(container, READ | SEARCH);
        byte[] cursor = wanted.cursor();
        List<Node> members = new ArrayList<>();
        container.page(
                cursor.length == 0 ? null : cursor,
                Math.min(wanted.limit(), MAX_MEMBERS),
                members::add);
        for (Node member : members) {
            asker.need(member, READ);
        }
    }

    private static void getExtents(Asker asker, GetExtents.Request wanted) throws CrailException {
        asker.needToRead(wanted.node(), wanted.handle());
    }

    private static void awaitLength(Asker asker, AwaitLength.Request wanted) throws CrailException {
        asker.needToRead(wanted.node(), wanted.handle());
    }

    /** There are no handles: rights are asked for each time. */
    private static void streams() {
        put(
                (asker, f) -> create(asker, StreamCreate.Request.decode(f).create()),
                MessageType.STREAM_CREATE);
        put(
                (asker, f) -> asker.needById(StreamAppend.Request.decode(f).node(), WRITE),
                MessageType.STREAM_APPEND);
        put(
                (asker, f) -> asker.needById(StreamExtents.Request.decode(f).node(), READ),
                MessageType.STREAM_EXTENTS);
        put(
                (asker, f) -> asker.needById(StreamTrim.Request.decode(f).node(), WRITE),
                MessageType.STREAM_TRIM);
    }

    private static void values() {
        put((asker, f) -> asker.needAt(Get.Request.decode(f).table(), READ), MessageType.GET);
        put((asker, f) -> asker.needAt(Scan.Request.decode(f).table(), READ), MessageType.SCAN);
        put((asker, f) -> asker.needAt(Put.Request.decode(f).table(), WRITE), MessageType.PUT);
        put(
                (asker, f) -> asker.needAt(MultiGet.Request.decode(f).table(), READ),
                MessageType.MULTI_GET);
        put(
                (asker, f) -> asker.needAt(MultiPut.Request.decode(f).table(), WRITE),
                MessageType.MULTI_PUT);
        put(
                (asker, f) -> asker.needAt(Remove.Request.decode(f).table(), WRITE),
                MessageType.REMOVE);
    }

    private static void administration() {
        put((asker, f) -> asker.needSuperuser("set quotas"), MessageType.SET_QUOTA);
        put(
                (asker, f) -> asker.needSuperuser("drain storage servers"),
                MessageType.DRAIN,
                MessageType.MOVABLE,
                MessageType.MOVE);
        put(
                (asker, f) -> asker.needSuperuser("move nodes between storage classes"),
                MessageType.TIER_PLAN,
                MessageType.GRANT_COPIES,
                MessageType.MOVE_COPIES,
                MessageType.TIER_SET);
        put(
                (asker, f) -> asker.needSuperuser("check the cluster"),
                MessageType.AUDIT,
                MessageType.REPAIR);
    }
}
