// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.Summary;
import io.crail.protocol.node.NodeType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The client that {@link CrailClient#connect} returns, and its views with other deadlines. */
final class ConnectedClient extends AttributeCalls {
    private final ClientCore core;
    private final Locations locations;
    private final boolean owner;

    private ConnectedClient(ClientCore core, Caller caller, boolean owner) {
        super(caller, new Namespace(core), new Xattributes(core));
        this.core = core;
        this.locations = new Locations(core);
        this.owner = owner;
    }

    static ConnectedClient connect(ClientConfig config) throws CrailException {
        ConnectedClient client = begin(config);
        boolean connected = false;
        try {
            client.ping("connect to " + config.namenodes());
            connected = true;
            return client;
        } finally {
            if (!connected) {
                client.core.close();
            }
        }
    }

    /** Begins to connect; calls wait until the connection stands. */
    static ConnectedClient begin(ClientConfig config) throws CrailException {
        ClientCore core = ClientCore.of(config);
        ConnectedClient client =
                new ConnectedClient(
                        core, Caller.of(core.engine(), config.deadline().toNanos()), true);
        core.session().start();
        return client;
    }

    ClientCore core() {
        return core;
    }

    @Override
    public ConnectedClient withDeadline(Duration deadline) {
        return new ConnectedClient(core, caller.withTimeout(deadline.toNanos()), false);
    }

    @Override
    public CrailAdmin admin() {
        return new ConnectedAdmin(core, caller);
    }

    @Override
    public ClientConfig config() {
        return core.config();
    }

    @Override
    public Optional<NodeStatus> lookup(String path) throws CrailException {
        return caller.call("look up ", path, op -> namespace.lookup(op, path));
    }

    @Override
    public CrailFuture<Optional<NodeStatus>> lookupAsync(String path) {
        return caller.begin("look up ", path, op -> namespace.lookup(op, path));
    }

    @Override
    public Optional<NodeStatus> lookup(long node) throws CrailException {
        return caller.call("look up node " + node, op -> namespace.lookup(op, node));
    }

    @Override
    public CrailFuture<Optional<NodeStatus>> lookupAsync(long node) {
        return caller.begin("look up node " + node, op -> namespace.lookup(op, node));
    }

    @Override
    public NodeStatus status(String path) throws CrailException {
        return caller.call("look up ", path, op -> namespace.status(op, path));
    }

    @Override
    public CrailFuture<NodeStatus> statusAsync(String path) {
        return caller.begin("look up ", path, op -> namespace.status(op, path));
    }

    @Override
    public NodeStatus mkdir(String path, CreateOptions options) throws CrailException {
        return caller.call(
                "make directory ",
                path,
                op -> namespace.make(op, path, NodeType.DIRECTORY, options));
    }

    @Override
    public CrailFuture<NodeStatus> mkdirAsync(String path, CreateOptions options) {
        return caller.begin(
                "make directory ",
                path,
                op -> namespace.make(op, path, NodeType.DIRECTORY, options));
    }

    @Override
    public CrailOutputStream createFile(String path, CreateOptions options) throws CrailException {
        return new ConnectedOutputStream(
                caller,
                caller.call(
                        "create ",
                        path,
                        op -> namespace.createFile(op, path, options, caller.timeoutNanos())));
    }

    @Override
    public CrailFuture<CrailOutputStream> createFileAsync(String path, CreateOptions options) {
        return caller.begin(
                "create ",
                path,
                op ->
                        namespace
                                .createFile(op, path, options, caller.timeoutNanos())
                                .thenApply(writer -> new ConnectedOutputStream(caller, writer)));
    }

    @Override
    public CrailOutputStream append(String path) throws CrailException {
        return new ConnectedOutputStream(
                caller,
                caller.call(
                        "append to ",
                        path,
                        op -> namespace.append(op, path, caller.timeoutNanos())));
    }

    @Override
    public CrailFuture<CrailOutputStream> appendAsync(String path) {
        return caller.begin(
                "append to ",
                path,
                op ->
                        namespace
                                .append(op, path, caller.timeoutNanos())
                                .thenApply(writer -> new ConnectedOutputStream(caller, writer)));
    }

    @Override
    public CrailFile open(String path) throws CrailException {
        return new ConnectedFile(
                core, caller, caller.call("open ", path, op -> namespace.open(op, path)));
    }

    @Override
    public CrailFuture<CrailFile> openAsync(String path) {
        return caller.begin(
                "open ",
                path,
                op ->
                        namespace
                                .open(op, path)
                                .thenApply(reader -> new ConnectedFile(core, caller, reader)));
    }

    @Override
    public CrailFile open(long node) throws CrailException {
        return new ConnectedFile(
                core, caller, caller.call("open node " + node, op -> namespace.open(op, node)));
    }

    @Override
    public CrailFuture<CrailFile> openAsync(long node) {
        return caller.begin(
                "open node " + node,
                op ->
                        namespace
                                .open(op, node)
                                .thenApply(reader -> new ConnectedFile(core, caller, reader)));
    }

    @Override
    public CrailTable createTable(String path, CreateOptions options) throws CrailException {
        caller.call("create table ", path, op -> namespace.make(op, path, NodeType.TABLE, options));
        return table(path);
    }

    @Override
    public CrailFuture<CrailTable> createTableAsync(String path, CreateOptions options) {
        return caller.begin(
                "create table ",
                path,
                op ->
                        namespace
                                .make(op, path, NodeType.TABLE, options)
                                .thenApply(
                                        status -> {
                                            try {
                                                return table(path);
                                            } catch (CrailException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }

    @Override
    public CrailTable table(String path) throws CrailException {
        return new ConnectedTable(core, caller, path, Namespace.path(path));
    }

    @Override
    public CrailStream createStream(String path, StreamOptions options) throws CrailException {
        return new ConnectedStream(
                core,
                caller,
                caller.call(
                        "create stream ", path, op -> namespace.createStream(op, path, options)));
    }

    @Override
    public CrailFuture<CrailStream> createStreamAsync(String path, StreamOptions options) {
        return caller.begin(
                "create stream ",
                path,
                op ->
                        namespace
                                .createStream(op, path, options)
                                .thenApply(found -> new ConnectedStream(core, caller, found)));
    }

    @Override
    public CrailStream stream(String path) throws CrailException {
        return new ConnectedStream(
                core, caller, caller.call("open stream ", path, op -> namespace.stream(op, path)));
    }

    @Override
    public CrailFuture<CrailStream> streamAsync(String path) {
        return caller.begin(
                "open stream ",
                path,
                op ->
                        namespace.stream(op, path)
                                .thenApply(found -> new ConnectedStream(core, caller, found)));
    }

    @Override
    public CrailMultiFile createMultiFile(String path, CreateOptions options)
            throws CrailException {
        caller.call(
                "create multifile ",
                path,
                op -> namespace.make(op, path, NodeType.MULTIFILE, options));
        return multiFile(path);
    }

    @Override
    public CrailFuture<CrailMultiFile> createMultiFileAsync(String path, CreateOptions options) {
        return caller.begin(
                "create multifile ",
                path,
                op -> {
                    CrailMultiFile made = multiFile(path);
                    return namespace
                            .make(op, path, NodeType.MULTIFILE, options)
                            .thenApply(status -> made);
                });
    }

    @Override
    public CrailMultiFile multiFile(String path) throws CrailException {
        return multiFile(path, Namespace.path(path));
    }

    CrailMultiFile multiFile(String path, byte[] encodedPath) {
        return new ConnectedMultiFile(this, caller, namespace, path, encodedPath);
    }

    @Override
    public CrailIterator<DirectoryEntry> list(String path) throws CrailException {
        return new Pages<>(
                last -> {
                    String after = last == null ? null : last.name();
                    return caller.call(
                            "list ",
                            path,
                            op -> namespace.list(op, path, after, Integer.MAX_VALUE));
                });
    }

    @Override
    public CrailFuture<List<DirectoryEntry>> listAsync(String path, String after, int limit) {
        return caller.begin(
                "list ",
                path,
                op -> namespace.list(op, path, after, limit).thenApply(Pages.Page::entries));
    }

    @Override
    public CrailIterator<LocatedEntry> listLocated(String path) throws CrailException {
        return new Pages<>(
                last -> {
                    String after = last == null ? null : last.name();
                    return caller.call(
                            "list ",
                            path,
                            op -> locations.list(op, namespace, path, after, Integer.MAX_VALUE));
                });
    }

    @Override
    public CrailFuture<List<LocatedEntry>> listLocatedAsync(String path, String after, int limit) {
        return caller.begin(
                "list ",
                path,
                op ->
                        locations
                                .list(op, namespace, path, after, limit)
                                .thenApply(Pages.Page::entries));
    }

    @Override
    public Summary.Reply summary(String path) throws CrailException {
        return caller.call("sum up ", path, op -> namespace.summary(op, path));
    }

    @Override
    public CrailFuture<Summary.Reply> summaryAsync(String path) {
        return caller.begin("sum up ", path, op -> namespace.summary(op, path));
    }

    @Override
    public List<BlockLocation> locations(String path) throws CrailException {
        return caller.call("locate ", path, op -> locate(op, path));
    }

    @Override
    public CrailFuture<List<BlockLocation>> locationsAsync(String path) {
        return caller.begin("locate ", path, op -> locate(op, path));
    }

    private CompletableFuture<List<BlockLocation>> locate(Operation operation, String path)
            throws CrailException {
        return namespace
                .extents(operation, path)
                .thenCompose(extents -> locations.of(operation, extents));
    }

    @Override
    public List<StorageServer> servers() throws CrailException {
        return caller.call("list storage servers", locations::servers);
    }

    @Override
    public CrailFuture<List<StorageServer>> serversAsync() {
        return caller.begin("list storage servers", locations::servers);
    }

    @Override
    public Statistics.Reply statistics() throws CrailException {
        return caller.call("read statistics", this::readStatistics);
    }

    @Override
    public CrailFuture<Statistics.Reply> statisticsAsync() {
        return caller.begin("read statistics", this::readStatistics);
    }

    private CompletableFuture<Statistics.Reply> readStatistics(Operation operation) {
        return StatisticsPages.read(core.session(), operation);
    }

    @Override
    public ClientStatistics clientStatistics() {
        return core.statistics();
    }

    @Override
    public void ping() throws CrailException {
        ping("ping the namenode");
    }

    private void ping(String what) throws CrailException {
        caller.call(what, op -> core.session().call(op, new Ping.Request()));
    }

    @Override
    public void close() {
        if (owner) {
            core.close();
        }
    }
}
