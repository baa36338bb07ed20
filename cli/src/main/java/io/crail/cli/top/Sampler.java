// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import io.crail.cli.probe.StatusPage;
import io.crail.error.CrailException;
import io.crail.protocol.message.Statistics;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;

/**
 * Asks the namenode, then all pages of metrics at once. Returns within the patience of the source
 * and that of the pages, whoever is away. For one thread.
 */
final class Sampler {
    /** The page of a storage server says which one it is. */
    static final String SERVER_ID = "crail_storage_server_id";

    /** The namenode, as a client sees it. */
    interface Source {
        Statistics.Reply statistics() throws CrailException;

        /** Where this process finds a page of metrics, or why it cannot. */
        Target namenode(Statistics.Reply now);

        Target server(Statistics.Reply now, Statistics.ServerCapacity server);
    }

    /**
     * Where a page is.
     *
     * @param url empty: it cannot be reached
     * @param why it cannot
     */
    record Target(String url, String why) {
        static Target at(String url) {
            return new Target(url, "");
        }

        static Target none(String why) {
            return new Target("", why);
        }
    }

    private final Source source;
    private final StatusPage pages;
    private final Duration patience;
    private final LongSupplier nanoTime;

    Sampler(Source source, StatusPage pages, Duration patience, LongSupplier nanoTime) {
        this.source = source;
        this.pages = pages;
        this.patience = patience;
        this.nanoTime = nanoTime;
    }

    Snapshot take() {
        Statistics.Reply now;
        try {
            now = source.statistics();
        } catch (CrailException e) {
            String why = String.valueOf(e.getMessage());
            return new Snapshot(
                    nanoTime.getAsLong(),
                    Optional.empty(),
                    why,
                    Snapshot.Page.missing(why),
                    Map.of());
        }
        CompletableFuture<Snapshot.Page> namenode = fetch(source.namenode(now));
        Map<Integer, CompletableFuture<Snapshot.Page>> asked = new LinkedHashMap<>();
        for (Statistics.ServerCapacity server : now.servers()) {
            asked.put(
                    server.id(),
                    fetch(source.server(now, server)).thenApply(page -> check(page, server.id())));
        }
        long nanos = nanoTime.getAsLong();
        Map<Integer, Snapshot.Page> servers = new HashMap<>();
        asked.forEach((id, page) -> servers.put(id, page.join()));
        return new Snapshot(nanos, Optional.of(now), "", namenode.join(), servers);
    }

    private CompletableFuture<Snapshot.Page> fetch(Target target) {
        if (target.url().isEmpty()) {
            return CompletableFuture.completedFuture(Snapshot.Page.missing(target.why()));
        }
        return pages.fetch(target.url(), "/metrics", patience)
                .thenApply(text -> Snapshot.Page.of(MetricText.parse(text)))
                .exceptionally(Sampler::missing);
    }

    private static Snapshot.Page missing(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return Snapshot.Page.missing(String.valueOf(cause.getMessage()));
    }

    /** A loopback address of another host may be that of another server here. */
    private static Snapshot.Page check(Snapshot.Page page, int server) {
        OptionalDouble id =
                page.metrics().map(all -> all.value(SERVER_ID)).orElse(OptionalDouble.empty());
        return page.metrics().isPresent() && (id.isEmpty() || id.getAsDouble() != server)
                ? Snapshot.Page.missing("another server answers at its address")
                : page;
    }
}
