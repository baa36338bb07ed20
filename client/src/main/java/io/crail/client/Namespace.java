// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.file.FileReader;
import io.crail.client.file.FileWriter;
import io.crail.client.file.WriteLease;
import io.crail.client.records.StreamTarget;
import io.crail.client.rpc.Reply;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.ProtocolException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.StreamCreate;
import io.crail.protocol.message.Summary;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.NodeType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The operations on the namespace as steps of calls, for the blocking and the asynchronous form
 * alike. Stateless and thread-safe.
 */
final class Namespace {
    /** Largest first grant that a create carries. */
    private static final long MAX_FIRST_GRANT = 64L << 20;

    private static final int MAX_CONTROL = ProtocolLimits.MAX_CONTROL;

    /** What a message has besides its paths, and besides each one, at most. */
    private static final int FRAME_ROOM = 64;

    private static final int PATH_ROOM = 4;

    private final ClientCore core;

    Namespace(ClientCore core) {
        this.core = core;
    }

    /** Decodes an answer. */
    @FunctionalInterface
    interface Decoder<T> {
        T decode(WireReader control) throws ProtocolException;
    }

    /** Checks a path and encodes it. */
    static byte[] path(String path) throws CrailException {
        return Names.encodePath(path);
    }

    private <T> CompletableFuture<T> call(
            Operation operation, Message message, Decoder<T> decoder) {
        return call(core, operation, message, decoder);
    }

    /** Asks the namenode and decodes its answer. */
    static <T> CompletableFuture<T> call(
            ClientCore core, Operation operation, Message message, Decoder<T> decoder) {
        return core.session().call(operation, message).thenApply(reply -> decoded(reply, decoder));
    }

    private static <T> T decoded(Reply reply, Decoder<T> decoder) {
        try {
            return decoder.decode(reply.control());
        } catch (CrailException e) {
            throw new CompletionException(e);
        }
    }

    CompletableFuture<NodeStatus> status(Operation operation, String path) throws CrailException {
        return call(
                operation,
                new Lookup.Request(path(path), 0),
                control -> Lookup.Reply.decode(control).status());
    }

    CompletableFuture<Optional<NodeStatus>> lookup(Operation operation, String path)
            throws CrailException {
        return ifThere(status(operation, path));
    }

    CompletableFuture<Optional<NodeStatus>> lookup(Operation operation, long node) {
        return ifThere(
                call(
                        operation,
                        new Lookup.Request(node, 0),
                        control -> Lookup.Reply.decode(control).status()));
    }

    private static CompletableFuture<Optional<NodeStatus>> ifThere(
            CompletableFuture<NodeStatus> status) {
        return status.thenApply(Optional::of)
                .exceptionally(
                        failure -> {
                            CrailException cause = Outcomes.cause(failure);
                            if (cause.code() == ErrorCode.NO_SUCH_NODE) {
                                return Optional.empty();
                            }
                            throw new CompletionException(cause);
                        });
    }

    CompletableFuture<NodeStatus> make(
            Operation operation, String path, NodeType type, CreateOptions options)
            throws CrailException {
        Create.Request request =
                options.toRequest(path(path), type, 0, 0, core.config().checksums());
        return call(operation, request, control -> Create.Reply.decode(control).status());
    }

    CompletableFuture<StreamTarget> createStream(
            Operation operation, String path, StreamOptions options) throws CrailException {
        options.check();
        Create.Request create =
                options.create()
                        .toRequest(path(path), NodeType.STREAM, 0, 0, core.config().checksums());
        return call(
                operation,
                new StreamCreate.Request(
                        options.maxBytes(),
                        options.maxRecords(),
                        options.maxAge().toMillis(),
                        create),
                control -> target(path, StreamCreate.Reply.decode(control).create().status()));
    }

    CompletableFuture<StreamTarget> stream(Operation operation, String path) throws CrailException {
        return status(operation, path)
                .thenApply(
                        found -> {
                            if (found.type() != NodeType.STREAM) {
                                throw new CompletionException(
                                        new WrongNodeTypeException(
                                                path
                                                        + " is a "
                                                        + found.type()
                                                        + ", only a STREAM has records"));
                            }
                            return target(path, found);
                        });
    }

    private static StreamTarget target(String path, NodeStatus status) {
        return new StreamTarget(path, status.id(), status.has(NodeStatus.CHECKSUMS));
    }

    CompletableFuture<FileWriter> createFile(
            Operation operation, String path, CreateOptions options, long timeoutNanos)
            throws CrailException {
        return createFile(operation, path, options, 0, timeoutNanos);
    }

    /** A new member of the MULTIFILE at a path, which the namenode gives a name. */
    CompletableFuture<FileWriter> createMember(
            Operation operation, String path, CreateOptions options, long timeoutNanos)
            throws CrailException {
        return createFile(operation, path, options, Create.GENERATE_NAME, timeoutNanos);
    }

    private CompletableFuture<FileWriter> createFile(
            Operation operation, String path, CreateOptions options, int flags, long timeoutNanos)
            throws CrailException {
        Create.Request request =
                options.toRequest(
                        path(path),
                        NodeType.FILE,
                        Create.OPEN | flags,
                        Math.min(MAX_FIRST_GRANT, options.expectedBytes()),
                        core.config().checksums());
        return core.session()
                .call(operation, request)
                .thenApply(
                        reply -> {
                            Create.Reply made = decoded(reply, Create.Reply::decode);
                            WriteLease lease =
                                    new WriteLease(
                                            flags == 0 ? path : memberPath(path, made.status()),
                                            made.status(),
                                            made.handle(),
                                            reply.incarnation());
                            return writer(lease, made.grants(), timeoutNanos);
                        });
    }

    private static String memberPath(String multiFile, NodeStatus member) {
        return multiFile + "/" + Create.generatedName(member.id());
    }

    CompletableFuture<FileWriter> append(Operation operation, String path, long timeoutNanos)
            throws CrailException {
        return core.session()
                .call(operation, new Open.Request(path(path), Open.APPEND, 0))
                .thenCompose(
                        reply -> {
                            Open.Reply opened = decoded(reply, Open.Reply::decode);
                            WriteLease lease =
                                    new WriteLease(
                                            path,
                                            opened.status(),
                                            opened.handle(),
                                            reply.incarnation());
                            FileWriter writer = writer(lease, opened.grants(), timeoutNanos);
                            if (opened.extents().isEmpty()) {
                                return CompletableFuture.completedFuture(writer);
                            }
                            return writer.resume(operation, opened.extents().get(0), core.reader())
                                    .thenApply(done -> writer);
                        });
    }

    private FileWriter writer(WriteLease lease, List<BlockReference> grants, long timeoutNanos) {
        return new FileWriter(
                core.engine(),
                core.session(),
                core.blocks(),
                core.engine().newStrand(),
                lease,
                grants,
                core.config().writeDepth(),
                timeoutNanos);
    }

    CompletableFuture<FileReader> open(Operation operation, String path) throws CrailException {
        return open(operation, new Open.Request(path(path), Open.READ, 0), path);
    }

    CompletableFuture<FileReader> open(Operation operation, long node) {
        return open(operation, new Open.Request(node), "node " + node);
    }

    private CompletableFuture<FileReader> open(
            Operation operation, Open.Request request, String path) {
        return core.session()
                .call(operation, request)
                .thenApply(
                        reply ->
                                new FileReader(
                                        core.session(),
                                        core.reader(),
                                        path,
                                        decoded(reply, Open.Reply::decode),
                                        reply.incarnation()));
    }

    CompletableFuture<Void> delete(Operation operation, String path, boolean recursive)
            throws CrailException {
        return call(operation, new Delete.Request(path(path), recursive), Delete.Reply::decode)
                .thenAccept(reply -> {});
    }

    CompletableFuture<NodeStatus> rename(
            Operation operation, String source, String target, RenameOption... options)
            throws CrailException {
        int flags = 0;
        for (RenameOption option : options) {
            flags |=
                    switch (option) {
                        case REPLACE -> Rename.REPLACE;
                        case UNBIND -> Rename.UNBIND;
                    };
        }
        return call(
                operation,
                new Rename.Request(path(source), path(target), flags),
                control -> Rename.Reply.decode(control).status());
    }

    CompletableFuture<NodeStatus> concat(Operation operation, String target, List<String> sources)
            throws CrailException {
        List<Concat.Source> paths = new ArrayList<>();
        int bytes = path(target).length + FRAME_ROOM;
        for (String source : sources) {
            byte[] path = path(source);
            bytes += path.length + PATH_ROOM;
            paths.add(new Concat.Source(path));
        }
        if (paths.isEmpty() || paths.size() > Concat.MAX_SOURCES || bytes > MAX_CONTROL) {
            throw new InvalidArgumentException(
                    "%s: %d files whose paths take %d bytes; 1 to %d files and %d bytes can be at a time"
                            .formatted(
                                    operation.what(),
                                    paths.size(),
                                    bytes,
                                    Concat.MAX_SOURCES,
                                    MAX_CONTROL));
        }
        return call(
                operation,
                new Concat.Request(path(target), paths),
                control -> Concat.Reply.decode(control).status());
    }

    CompletableFuture<NodeStatus> truncate(Operation operation, String path, long length)
            throws CrailException {
        if (length < 0) {
            throw new InvalidArgumentException(operation.what() + ": a length is not negative");
        }
        return new Truncation(core, operation, path, length).start();
    }

    CompletableFuture<NodeStatus> setAttributes(
            Operation operation, String path, AttributeChange change) throws CrailException {
        return call(
                operation,
                change.toRequest(path(path)),
                control -> SetAttributes.Reply.decode(control).status());
    }

    CompletableFuture<Summary.Reply> summary(Operation operation, String path)
            throws CrailException {
        return call(operation, new Summary.Request(path(path)), Summary.Reply::decode);
    }

    CompletableFuture<Void> setQuota(Operation operation, String path, Quota quota)
            throws CrailException {
        return call(operation, quota.toRequest(path(path)), SetQuota.Reply::decode)
                .thenAccept(reply -> {});
    }

    CompletableFuture<ListEntries.Reply> list(
            Operation operation, String path, byte[] cursor, int limit, int flags)
            throws CrailException {
        int page = Math.max(1, Math.min(limit, core.session().maxPage()));
        return call(
                operation,
                new ListEntries.Request(path(path), cursor, page, flags),
                ListEntries.Reply::decode);
    }

    CompletableFuture<Pages.Page<DirectoryEntry>> list(
            Operation operation, String path, @Nullable String after, int limit)
            throws CrailException {
        return list(operation, path, cursor(after), limit, 0)
                .thenApply(
                        page ->
                                new Pages.Page<>(
                                        page.entries().stream().map(Namespace::entry).toList(),
                                        page.more()));
    }

    /** The name behind which a page begins; null = from the start. */
    static byte[] cursor(@Nullable String after) {
        return after == null ? new byte[0] : after.getBytes(StandardCharsets.UTF_8);
    }

    private static DirectoryEntry entry(ListEntries.Entry entry) {
        return new DirectoryEntry(new String(entry.name(), StandardCharsets.UTF_8), entry.status());
    }

    /** All extents of the file at a path. */
    CompletableFuture<List<Extent>> extents(Operation operation, String path)
            throws CrailException {
        return call(operation, new Lookup.Request(path(path), Lookup.EXTENTS), Lookup.Reply::decode)
                .thenCompose(
                        found -> {
                            if (found.status().type() != NodeType.FILE) {
                                return CompletableFuture.failedFuture(
                                        new WrongNodeTypeException(
                                                path
                                                        + " is a "
                                                        + found.status().type()
                                                        + ", only a FILE has blocks"));
                            }
                            return furtherExtents(
                                    operation, found.status(), new ArrayList<>(found.extents()));
                        });
    }

    private CompletableFuture<List<Extent>> furtherExtents(
            Operation operation, NodeStatus status, List<Extent> known) {
        long end = known.isEmpty() ? 0 : known.get(known.size() - 1).end();
        if (end >= status.length()) {
            return CompletableFuture.completedFuture(known);
        }
        return call(
                        operation,
                        new GetExtents.Request(status.id(), 0, end, ProtocolLimits.MAX_REFERENCES),
                        GetExtents.Reply::decode)
                .thenCompose(
                        page -> {
                            if (page.extents().isEmpty()) {
                                return CompletableFuture.failedFuture(
                                        new NoSuchNodeException(
                                                operation.what() + ": the file was truncated"));
                            }
                            known.addAll(page.extents());
                            return furtherExtents(operation, status, known);
                        });
    }
}
