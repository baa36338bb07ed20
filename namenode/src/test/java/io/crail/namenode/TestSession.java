// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.NoSuchNodeException;
import io.crail.namenode.FrameLink.Answer;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.Commit;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.GetXattrs;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.MultiGet;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.Scan;
import io.crail.protocol.message.SessionClose;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.message.StreamCreate;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.message.StreamTrim;
import io.crail.protocol.message.Summary;
import io.crail.protocol.node.NodeType;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a client asks of the namenode, as calls. Paths, names and keys are given as strings. */
final class TestSession implements Closeable {
    static final byte[] NOTHING = {};

    private final WireClient wire;

    TestSession(WireClient wire) {
        this.wire = wire;
    }

    WireClient wire() {
        return wire;
    }

    static byte[] bytes(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    // Names.

    NodeStatus create(String path, NodeType type, long lifetimeMillis) throws IOException {
        return wire.call(
                        TestRequests.createRequest(path, type, 0, 0, lifetimeMillis),
                        Create.Reply::decode)
                .status();
    }

    /** Sets the time to live, or for -1 takes it away. */
    NodeStatus setLifetime(String path, long millis) throws IOException {
        return wire.call(TestRequests.lifetimeRequest(path, millis), SetAttributes.Reply::decode)
                .status();
    }

    void setQuota(String path, long nodes, List<SetQuota.ClassLimit> classes) throws IOException {
        wire.call(new SetQuota.Request(bytes(path), nodes, classes), SetQuota.Reply::decode);
    }

    void setStorageClass(String path, int storageClass) throws IOException {
        wire.call(
                new SetAttributes.Request(
                        bytes(path),
                        SetAttributes.STORAGE_CLASS,
                        0,
                        storageClass,
                        0,
                        0,
                        -1,
                        "",
                        ""),
                SetAttributes.Reply::decode);
    }

    boolean setXattr(String path, String name, int flags, byte[] value) throws IOException {
        return wire.call(
                        new SetXattr.Request(bytes(path), name, flags, value),
                        SetXattr.Reply::decode)
                .existed();
    }

    boolean setXattr(String path, String name, String value) throws IOException {
        return setXattr(path, name, 0, bytes(value));
    }

    /** Names and values as text. */
    Map<String, String> xattrs(String path, String name, int flags) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        wire.call(new GetXattrs.Request(bytes(path), name, flags), GetXattrs.Reply::decode)
                .entries()
                .forEach(e -> texts.put(e.name(), new String(e.value(), StandardCharsets.UTF_8)));
        return texts;
    }

    Map<String, String> xattrs(String path) throws IOException {
        return xattrs(path, "", 0);
    }

    NodeStatus unbind(String path) throws IOException {
        return wire.call(
                        new SetAttributes.Request(
                                bytes(path), SetAttributes.UNBIND, 0, 0, 0, 0, -1, "", ""),
                        SetAttributes.Reply::decode)
                .status();
    }

    Create.Reply create(String path, NodeType type, int flags, long bytes) throws IOException {
        return wire.call(
                TestRequests.createRequest(path, type, flags, bytes), Create.Reply::decode);
    }

    NodeStatus mkdir(String path) throws IOException {
        return create(path, NodeType.DIRECTORY, 0, 0).status();
    }

    NodeStatus table(String path) throws IOException {
        return create(path, NodeType.TABLE, 0, 0).status();
    }

    /** An empty FILE that nobody writes. */
    NodeStatus touch(String path) throws IOException {
        return create(path, NodeType.FILE, 0, 0).status();
    }

    /** A FILE open for writing, with blocks for so many bytes. */
    Create.Reply write(String path, long bytes) throws IOException {
        return create(path, NodeType.FILE, Create.OPEN, bytes);
    }

    /** A closed FILE of so many bytes. */
    NodeStatus file(String path, long length) throws IOException {
        Create.Reply open = write(path, length);
        return commit(
                open.status().id(),
                open.handle(),
                0,
                true,
                TestRequests.fill(open.grants(), length));
    }

    NodeStatus lookup(String path) throws IOException {
        return lookup(path, 0).status();
    }

    Lookup.Reply lookup(String path, int flags) throws IOException {
        return wire.call(new Lookup.Request(bytes(path), flags), Lookup.Reply::decode);
    }

    Lookup.Reply lookup(long node, int flags) throws IOException {
        return wire.call(new Lookup.Request(node, flags), Lookup.Reply::decode);
    }

    long delete(String path, boolean recursive) throws IOException {
        return wire.call(new Delete.Request(bytes(path), recursive), Delete.Reply::decode).node();
    }

    NodeStatus rename(String from, String to, int flags) throws IOException {
        return wire.call(new Rename.Request(bytes(from), bytes(to), flags), Rename.Reply::decode)
                .status();
    }

    ListEntries.Reply page(String path, byte[] cursor, int limit) throws IOException {
        return wire.call(
                new ListEntries.Request(bytes(path), cursor, limit), ListEntries.Reply::decode);
    }

    List<String> list(String path) throws IOException {
        List<String> names = new ArrayList<>();
        ListEntries.Reply page = page(path, NOTHING, 1000);
        while (true) {
            for (ListEntries.Entry entry : page.entries()) {
                names.add(new String(entry.name(), StandardCharsets.UTF_8));
            }
            if (!page.more()) {
                return names;
            }
            page = page(path, page.entries().get(page.entries().size() - 1).name(), 1000);
        }
    }

    /** One page of the members of a multifile; {@code before} is the page before, if any. */
    OpenMembers.Reply openMembers(
            String path, OpenMembers.@Nullable Reply before, int limit, int references, int flags)
            throws IOException {
        return wire.call(
                TestRequests.openMembersRequest(path, before, limit, references, flags),
                OpenMembers.Reply::decode);
    }

    Summary.Reply summary(String path) throws IOException {
        return wire.call(new Summary.Request(bytes(path)), Summary.Reply::decode);
    }

    // Keys and values.

    /** Puts an inline value with a time to live. */
    void putFor(String table, String key, String value, long lifetimeMillis) throws IOException {
        wire.call(
                TestRequests.putRequest(table, key, Conditions.NONE, 0, lifetimeMillis),
                bytes(value),
                Put.Reply::decode);
    }

    /** Puts an inline value and returns its version. */
    long put(String table, String key, String value) throws IOException {
        return put(table, key, value, Conditions.NONE, 0);
    }

    long put(String table, String key, String value, int condition, long version)
            throws IOException {
        return wire.call(
                        TestRequests.putRequest(table, key, condition, version),
                        bytes(value),
                        Put.Reply::decode)
                .version();
    }

    Put.Reply putBlocks(String table, String key, List<CommittedExtent> extents)
            throws IOException {
        return wire.call(
                new Put.Request(
                        bytes(table),
                        bytes(key),
                        Conditions.NONE,
                        0,
                        -1,
                        Get.EXTENTS,
                        extents,
                        List.of()),
                Put.Reply::decode);
    }

    String get(String table, String key) throws IOException {
        Answer answer = wire.ask(new Get.Request(bytes(table), bytes(key), 0), NOTHING).orThrow();
        present(Get.Reply.decode(answer.reader()), key);
        return new String(answer.payload(), StandardCharsets.UTF_8);
    }

    Get.Reply value(String table, String key) throws IOException {
        return present(
                wire.call(new Get.Request(bytes(table), bytes(key), 0), Get.Reply::decode), key);
    }

    private static Get.Reply present(Get.Reply reply, String key) throws NoSuchNodeException {
        if (reply.form() == Get.ABSENT) {
            throw new NoSuchNodeException("no key " + key);
        }
        return reply;
    }

    MultiPut.Reply putMany(String table, List<MultiPut.Entry> entries, byte[] values)
            throws IOException {
        return wire.call(
                new MultiPut.Request(bytes(table), entries), values, MultiPut.Reply::decode);
    }

    Answer getMany(String table, List<String> keys) throws IOException {
        List<MultiGet.Key> list = keys.stream().map(key -> new MultiGet.Key(bytes(key))).toList();
        return wire.ask(new MultiGet.Request(bytes(table), list, 0), NOTHING).orThrow();
    }

    boolean remove(String table, String key) throws IOException {
        return remove(table, key, Conditions.NONE, 0);
    }

    boolean remove(String table, String key, int condition, long version) throws IOException {
        return wire.call(
                        new Remove.Request(bytes(table), bytes(key), condition, version),
                        Remove.Reply::decode)
                .existed();
    }

    Scan.Reply scan(String table, byte[] cursor, int limit, int flags) throws IOException {
        return wire.call(new Scan.Request(bytes(table), cursor, limit, flags), Scan.Reply::decode);
    }

    // Streams.

    /** A STREAM of which so much is kept; 0 = all. */
    NodeStatus stream(String path, long maxBytes, long maxRecords, long maxAgeMillis)
            throws IOException {
        return wire.call(
                        new StreamCreate.Request(
                                maxBytes,
                                maxRecords,
                                maxAgeMillis,
                                TestRequests.createRequest(path, NodeType.STREAM, 0, 0)),
                        StreamCreate.Reply::decode)
                .create()
                .status();
    }

    /** Appends inline and returns the offset of the first record. */
    StreamAppend.Reply append(long node, String... records) throws IOException {
        return wire.call(
                TestRequests.appendRequest(node, records.length, List.of(), 0, 0),
                TestRequests.frames(List.of(records)),
                StreamAppend.Reply::decode);
    }

    StreamAppend.Reply appendBlocks(
            long node, int records, List<CommittedExtent> extents, int blocks, int blockBytes)
            throws IOException {
        return wire.call(
                TestRequests.appendRequest(node, records, extents, blocks, blockBytes),
                StreamAppend.Reply::decode);
    }

    StreamExtents.Reply records(long node, long offset, int skipped, int waitMillis)
            throws IOException {
        return wire.call(
                new StreamExtents.Request(node, offset, skipped, 64, 1 << 16, waitMillis),
                StreamExtents.Reply::decode);
    }

    StreamTrim.Reply trim(long node, long offset) throws IOException {
        return wire.call(new StreamTrim.Request(node, offset), StreamTrim.Reply::decode);
    }

    // Bytes of files.

    Open.Reply open(String path, int mode, long bytes) throws IOException {
        return wire.call(new Open.Request(bytes(path), mode, bytes), Open.Reply::decode);
    }

    Open.Reply open(long node) throws IOException {
        return wire.call(new Open.Request(node), Open.Reply::decode);
    }

    List<BlockReference> grant(long node, long handle, long bytes) throws IOException {
        return wire.call(
                        new Grant.Request(node, handle, NOTHING, bytes, false, new int[0]),
                        Grant.Reply::decode)
                .grants();
    }

    List<BlockReference> grantValue(String table, long bytes) throws IOException {
        return wire.call(
                        new Grant.Request(0, 0, bytes(table), bytes, false, new int[0]),
                        Grant.Reply::decode)
                .grants();
    }

    NodeStatus commit(
            long node, long handle, long base, boolean close, List<CommittedExtent> extents)
            throws IOException {
        return wire.call(
                        new Commit.Request(
                                node, handle, base, close ? Commit.CLOSE : 0, extents, List.of()),
                        Commit.Reply::decode)
                .status();
    }

    void abandon(long node, long handle, boolean deleteIfEmpty) throws IOException {
        wire.call(new Abandon.Request(node, handle, deleteIfEmpty), Abandon.Reply::decode);
    }

    NodeStatus awaitLength(long node, long known, int maxWaitMillis) throws IOException {
        return wire.call(
                        new AwaitLength.Request(node, 0, known, maxWaitMillis),
                        AwaitLength.Reply::decode)
                .status();
    }

    GetExtents.Reply extents(long node, long offset, int limit) throws IOException {
        return wire.call(new GetExtents.Request(node, 0, offset, limit), GetExtents.Reply::decode);
    }

    // The session.

    void keepAlive(long[] closedHandles, List<BlockId> returned) throws IOException {
        wire.call(new KeepAlive.Request(closedHandles, returned), KeepAlive.Reply::decode);
    }

    void closeHandle(long handle) throws IOException {
        keepAlive(new long[] {handle}, List.of());
    }

    void endSession() throws IOException {
        wire.call(new SessionClose.Request(), SessionClose.Reply::decode);
    }

    Statistics.Reply statistics() throws IOException {
        return wire.call(new Statistics.Request(), Statistics.Reply::decode);
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }
}
