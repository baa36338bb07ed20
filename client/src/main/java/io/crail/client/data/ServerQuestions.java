// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Operation;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.ServerQuestion;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.ServerTable;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Asks storage servers what is not about bytes of blocks, over connections of its own, so that
 * nobody's data waits behind an answer. Thread-safe; {@link #close} ends the connections.
 */
public final class ServerQuestions implements AutoCloseable {
    private record Open(DataPath path, ServerTable.Server server, long session) {}

    private final ServerDirectory directory;
    private final DataPaths paths;
    private final Map<Integer, Open> open = new HashMap<>();

    public ServerQuestions(ServerDirectory directory, DataPaths paths) {
        this.directory = directory;
        this.paths = paths;
    }

    /** Asks a server; the control part of its answer comes on the operation's strand. */
    public CompletableFuture<byte[]> ask(Operation operation, int server, Message request) {
        return directory
                .find(operation, server)
                .thenCompose(
                        found -> {
                            try {
                                return ask(operation, path(found), request);
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    private synchronized DataPath path(ServerTable.Server server) throws CrailException {
        Open known = open.get(server.id());
        if (known != null
                && known.session() == paths.session()
                && known.server().ticket() == server.ticket()
                && known.server().endpoints().equals(server.endpoints())) {
            return known.path();
        }
        if (known != null) {
            known.path().close(new ClosedException("the server is asked elsewhere"));
        }
        DataPath path = paths.apart(server);
        open.put(server.id(), new Open(path, server, paths.session()));
        return path;
    }

    private static CompletableFuture<byte[]> ask(
            Operation operation, DataPath path, Message request) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        Cancellable waiting =
                cause -> operation.strand().execute(() -> answer.completeExceptionally(cause));
        operation.add(waiting);
        path.ask(
                new ServerQuestion(request) {
                    @Override
                    public int remainingMillis() {
                        return operation.remainingMillis();
                    }

                    @Override
                    public void answered(byte[] control) {
                        operation.remove(waiting);
                        operation.strand().execute(() -> answer.complete(control));
                    }

                    @Override
                    public void failed(CrailException cause) {
                        operation.remove(waiting);
                        operation.strand().execute(() -> answer.completeExceptionally(cause));
                    }
                });
        return answer;
    }

    @Override
    public synchronized void close() {
        open.values().forEach(each -> each.path().close(new ClosedException("all was asked")));
        open.clear();
    }
}
