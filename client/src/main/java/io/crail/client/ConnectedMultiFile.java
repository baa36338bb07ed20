// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.client.file.BatchReader;
import io.crail.client.file.MemberSet;
import io.crail.error.CrailException;
import io.crail.error.InvalidNameException;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.Names;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A multifile of a connected client. */
final class ConnectedMultiFile implements CrailMultiFile {
    private final ConnectedClient client;
    private final Caller caller;
    private final Namespace namespace;
    private final String path;
    private final byte[] encodedPath;

    ConnectedMultiFile(
            ConnectedClient client,
            Caller caller,
            Namespace namespace,
            String path,
            byte[] encodedPath) {
        this.client = client;
        this.caller = caller;
        this.namespace = namespace;
        this.path = path;
        this.encodedPath = encodedPath;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public NodeStatus status() throws CrailException {
        return client.status(path);
    }

    @Override
    public CrailFuture<NodeStatus> statusAsync() {
        return client.statusAsync(path);
    }

    @Override
    public CrailOutputStream add(CreateOptions options) throws CrailException {
        return new ConnectedOutputStream(
                caller,
                caller.call(
                        "add to ",
                        path,
                        op -> namespace.createMember(op, path, options, caller.timeoutNanos())));
    }

    @Override
    public CrailFuture<CrailOutputStream> addAsync(CreateOptions options) {
        return caller.begin(
                "add to ",
                path,
                op ->
                        namespace
                                .createMember(op, path, options, caller.timeoutNanos())
                                .thenApply(writer -> new ConnectedOutputStream(caller, writer)));
    }

    @Override
    public CrailOutputStream add(String name, CreateOptions options) throws CrailException {
        return client.createFile(memberPath(name), options);
    }

    @Override
    public CrailFuture<CrailOutputStream> addAsync(String name, CreateOptions options) {
        return caller.begin(
                "add to ",
                path,
                op ->
                        namespace
                                .createFile(op, memberPath(name), options, caller.timeoutNanos())
                                .thenApply(writer -> new ConnectedOutputStream(caller, writer)));
    }

    /** A slash would lead out of the multifile. */
    private String memberPath(String name) throws InvalidNameException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        Names.checkName(bytes, 0, bytes.length);
        return path + "/" + name;
    }

    @Override
    public CrailIterator<DirectoryEntry> list() throws CrailException {
        return client.list(path);
    }

    @Override
    public CrailInputStream openStream(MultiReadOptions options) throws CrailException {
        return stream(caller.call("open ", path, op -> open(op, options)), options);
    }

    @Override
    public CrailFuture<CrailInputStream> openStreamAsync(MultiReadOptions options) {
        return caller.begin(
                "open ", path, op -> open(op, options).thenApply(set -> stream(set, options)));
    }

    @Override
    public CrailBatchReader openReader(ReadOrder order, MultiReadOptions options)
            throws CrailException {
        return reader(caller.call("open ", path, op -> open(op, options)), order, options);
    }

    @Override
    public CrailFuture<CrailBatchReader> openReaderAsync(
            ReadOrder order, MultiReadOptions options) {
        return caller.begin(
                "open ",
                path,
                op -> open(op, options).thenApply(set -> reader(set, order, options)));
    }

    private CompletableFuture<MemberSet> open(Operation operation, MultiReadOptions options) {
        return MemberSet.open(
                operation, client.core().session(), path, encodedPath, options.closedOnly());
    }

    private CrailInputStream stream(MemberSet set, MultiReadOptions options) {
        return new MultiFileStream(client.core().engine(), batch(set, ReadOrder.NAME, options));
    }

    private CrailBatchReader reader(MemberSet set, ReadOrder order, MultiReadOptions options) {
        return new ConnectedBatchReader(client.core().engine(), batch(set, order, options));
    }

    private BatchReader batch(MemberSet set, ReadOrder order, MultiReadOptions options) {
        ClientCore core = client.core();
        return new BatchReader(
                core.engine(),
                core.engine().newStrand(),
                core.reader(),
                set,
                order == ReadOrder.NAME,
                options.window(),
                caller.timeoutNanos());
    }

    @Override
    public void delete() throws CrailException {
        client.delete(path, true);
    }

    @Override
    public CrailFuture<Void> deleteAsync() {
        return client.deleteAsync(path, true);
    }

    @Override
    public CrailMultiFile withDeadline(Duration deadline) {
        return client.withDeadline(deadline).multiFile(path, encodedPath);
    }
}
