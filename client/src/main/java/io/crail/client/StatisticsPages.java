// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import java.util.concurrent.CompletableFuture;

/** Asks for the namenode's counters until it has told of all storage servers. */
final class StatisticsPages {
    private StatisticsPages() {}

    static CompletableFuture<Statistics.Reply> read(Session session, Operation operation) {
        return page(session, operation, 0).thenCompose(first -> rest(session, operation, first));
    }

    private static CompletableFuture<Statistics.Reply> rest(
            Session session, Operation operation, Statistics.Reply soFar) {
        if (soFar.nextServer() == 0) {
            return CompletableFuture.completedFuture(soFar);
        }
        return page(session, operation, soFar.nextServer())
                .thenCompose(next -> rest(session, operation, soFar.and(next)));
    }

    private static CompletableFuture<Statistics.Reply> page(
            Session session, Operation operation, int from) {
        return session.call(operation, new Statistics.Request(from))
                .thenCompose(
                        reply -> {
                            try {
                                return CompletableFuture.completedFuture(
                                        Statistics.Reply.decode(reply.control()));
                            } catch (CrailException e) {
                                return CompletableFuture.failedFuture(e);
                            }
                        });
    }
}
