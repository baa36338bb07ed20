// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.limit.Exchange;
import io.crail.bench.stage.Ring;
import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.error.InternalException;
import io.crail.protocol.frame.ProtocolLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Operations on the namespace. What is created lies in a directory of the client's own, a new one
 * for each batch; what is deleted was created before the batch, which ends early when nothing is
 * left.
 */
final class MetadataWorkload implements Workload {
    private static final int FIRST_DELETES = 1_000;
    private static final int MOST_DELETES = 200_000;

    private final CrailClient client;
    private final MetadataJob job;
    private final MetadataSpec spec;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final String[] paths;
    private final AtomicInteger deleted = new AtomicInteger();

    /** Where a batch creates or deletes; written before its threads are started. */
    private volatile String scratch = "";

    private volatile int created;
    private int batch;

    /** Takes the client over. */
    MetadataWorkload(CrailClient client, MetadataJob job) {
        this.client = client;
        resources.add(client);
        this.job = job;
        this.spec = job.spec();
        this.paths = new String[spec.entries()];
        for (int i = 0; i < paths.length; i++) {
            paths[i] = job.directory() + "/" + Entries.name(i);
        }
    }

    @Override
    public Work limit(int thread) throws IOException {
        int pages =
                spec.operation() == MetadataOperation.LIST_ALL ? Entries.pages(paths.length) : 1;
        Exchange exchange = new Exchange(job.door(), terms(), spec.depth());
        resources.add(exchange);
        return pages == 1
                ? exchange::run
                : Work.blocking(
                        () -> {
                            exchange.run(pages);
                            return true;
                        });
    }

    private Exchange.Terms terms() throws IOException {
        if (spec.operation() == MetadataOperation.LOOKUP || !spec.operation().reads()) {
            return Exchange.Terms.echo(job.spins());
        }
        int page =
                spec.operation() == MetadataOperation.LIST_PAGE
                        ? spec.page()
                        : ProtocolLimits.MAX_PAGE;
        int bytes = Entries.bytesOfPage(client, job.directory(), page);
        return Exchange.Terms.fetch(bytes, false, job.spins());
    }

    @Override
    public Work product(int thread) {
        SplittableRandom random = new SplittableRandom(job.member() * 1_000L + thread);
        return switch (spec.operation()) {
            case LOOKUP -> lookups(random);
            case CREATE -> creates(thread);
            case DELETE -> deletes();
            case LIST_PAGE -> pages(random);
            case LIST_ALL -> Work.blocking(this::listAll);
        };
    }

    private Work lookups(SplittableRandom random) {
        if (spec.depth() > 1) {
            return Work.pipelined(
                    spec.depth(), slot -> client.statusAsync(paths[random.nextInt(paths.length)]));
        }
        return Work.blocking(
                () -> {
                    client.status(paths[random.nextInt(paths.length)]);
                    return true;
                });
    }

    private Work creates(int thread) {
        // Of all batches: names need not begin anew.
        AtomicInteger next = new AtomicInteger();
        if (spec.depth() > 1) {
            return Work.pipelined(
                    spec.depth(), slot -> Entries.createFile(client, fresh(thread, next)));
        }
        return Work.blocking(
                () -> {
                    client.createFile(fresh(thread, next)).close();
                    return true;
                });
    }

    private String fresh(int thread, AtomicInteger next) {
        return scratch + "/t" + thread + "-" + next.getAndIncrement();
    }

    private Work deletes() {
        if (spec.depth() > 1) {
            return Work.pipelined(spec.depth(), slot -> deleteAsync());
        }
        return Work.blocking(
                () -> {
                    int number = deleted.getAndIncrement();
                    if (number >= created) {
                        return false;
                    }
                    client.delete(scratch + "/" + Entries.name(number), false);
                    return true;
                });
    }

    private @Nullable CompletableFuture<?> deleteAsync() {
        int number = deleted.getAndIncrement();
        return number >= created
                ? null
                : client.deleteAsync(scratch + "/" + Entries.name(number), false);
    }

    private Work pages(SplittableRandom random) {
        int lastFull = Math.max(1, paths.length - spec.page());
        if (spec.depth() > 1) {
            return Work.pipelined(spec.depth(), slot -> page(random.nextInt(lastFull)));
        }
        return Work.blocking(
                () -> {
                    Ring.result(page(random.nextInt(lastFull)));
                    return true;
                });
    }

    private CompletableFuture<List<DirectoryEntry>> page(int first) {
        String after = first == 0 ? "" : Entries.name(first - 1);
        return client.listAsync(job.directory(), after, spec.page());
    }

    private boolean listAll() throws IOException {
        int count = 0;
        CrailIterator<DirectoryEntry> entries = client.list(job.directory());
        while (entries.hasNext()) {
            entries.next();
            count++;
        }
        if (count != paths.length) {
            throw new InternalException(
                    "list " + job.directory() + ": " + count + " entries, not " + paths.length);
        }
        return true;
    }

    @Override
    public void prepare(long nanos) throws IOException {
        if (spec.operation().reads()) {
            return;
        }
        if (!scratch.isEmpty()) {
            client.delete(scratch, true);
        }
        String next = job.directory() + "-" + job.member() + "-" + batch++;
        if (spec.operation() == MetadataOperation.CREATE) {
            client.mkdir(next);
        } else {
            // As many as the fastest batch so far has deleted, and half as many again.
            int tried = Math.min(deleted.getAndSet(0), created);
            created = Math.min(MOST_DELETES, Math.max(FIRST_DELETES, tried + tried / 2));
            Entries.fillWithFiles(client, next, created);
        }
        scratch = next;
    }

    @Override
    public void close() throws IOException {
        Resources.close(resources);
    }
}
