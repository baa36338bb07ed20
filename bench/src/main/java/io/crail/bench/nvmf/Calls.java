// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.measure.Latencies;
import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.NvmeFuture;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.queue.DataTaker;
import io.crail.nvmf.initiator.queue.KeptPart;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.wire.command.IoOpcode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One kind of access by our initiator, as fio makes it. For one thread. */
final class Calls {
    private final NvmeNamespace namespace;
    private final Access access;
    private final long places;
    private final ByteBuffer[] buffers;
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong inPlace = new AtomicLong();

    /**
     * Accesses to the beginning of a namespace.
     *
     * @param bytes how much of it
     */
    Calls(NvmeNamespace namespace, Access access, long bytes) {
        this.namespace = namespace;
        this.access = access;
        this.places = bytes / access.bytes();
        this.buffers = new ByteBuffer[access.depth()];
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = ByteBuffer.allocateDirect(access.bytes());
            fill(buffers[i]);
        }
    }

    private static void fill(ByteBuffer buffer) {
        for (int at = 0; at < buffer.capacity(); at += Long.BYTES) {
            buffer.putLong(at, ThreadLocalRandom.current().nextLong());
        }
    }

    private long nextBlock() {
        long place =
                access.kind() == Access.Kind.RANDOM_READ
                        ? ThreadLocalRandom.current().nextLong(places)
                        : next.getAndIncrement() % places;
        return place * access.bytes() / namespace.blockSize();
    }

    /**
     * One after another until the time is up.
     *
     * @param most accesses
     */
    Latencies oneByOne(long nanos, int most) throws IOException {
        Latencies latencies = new Latencies(most);
        long end = System.nanoTime() + nanos;
        long start = System.nanoTime();
        for (int i = 0; i < most && start - end < 0; i++) {
            NvmeFuture<Void> call = begin(buffers[0]);
            call.await();
            long now = System.nanoTime();
            latencies.add(now - start);
            start = now;
        }
        return latencies;
    }

    private NvmeFuture<Void> begin(ByteBuffer buffer) {
        return access.kind().isWrite()
                ? namespace.write(nextBlock(), buffer)
                : namespace.read(nextBlock(), buffer);
    }

    /**
     * So many under way until the time is up: the next one begins in the place of each that ends.
     * All is done by this thread, which hands out completions while it waits. The first one is
     * never in place.
     *
     * @return how many there were, in how much time
     */
    Done keepUnderWay(long nanos) throws IOException {
        long start = System.nanoTime();
        long count = new Run(start + nanos, begin(buffers[0])).await();
        return new Done(count, System.nanoTime() - start);
    }

    private void readInPlace(ByteBuffer spare, IoCompletion completion) {
        SharedExtras extras = new SharedExtras(null, null, new Looker(spare));
        namespace
                .command(IoOpcode.READ, nextBlock(), spare, (entry, at) -> {}, extras, completion)
                .start();
    }

    /** Does with bytes where they are what fio does with them: nothing. */
    private final class Looker implements DataTaker {
        private final ByteBuffer spare;

        Looker(ByteBuffer spare) {
            this.spare = spare;
        }

        @Override
        public void take(ByteBuffer memory, int at) {
            spare.put(0, memory, at, spare.capacity());
        }

        @Override
        public boolean keeps() {
            return true;
        }

        @Override
        public void keep(KeptPart part) {
            inPlace.incrementAndGet();
            part.close();
        }
    }

    /** How many accesses found their data in place. */
    long inPlace() {
        return inPlace.get();
    }

    /**
     * What a batch did.
     *
     * @param count accesses
     * @param nanos from the first one's begin to the last one's end
     */
    record Done(long count, long nanos) {
        double perSecond() {
            return count * 1e9 / nanos;
        }
    }

    /** A batch. Completions are handed out by whoever waits, or by the initiator's own thread. */
    private final class Run {
        private final long end;
        private final AtomicLong count = new AtomicLong(1);
        private final AtomicInteger underWay = new AtomicInteger(buffers.length);

        /** Waited for as calls are, so that the waiting thread receives. */
        private final CompletableFuture<Void> over;

        Run(long end, NvmeFuture<Void> first) {
            this.end = end;
            this.over = first.newIncompleteFuture();
            CompletableFuture<Void> unused =
                    first.whenComplete((nothing, failure) -> ended(buffers[0], failure));
            for (int i = 1; i < buffers.length; i++) {
                post(buffers[i]);
            }
        }

        private void post(ByteBuffer buffer) {
            count.incrementAndGet();
            IoCompletion completion = failure -> ended(buffer, failure);
            switch (access.kind()) {
                case WRITE -> namespace.write(nextBlock(), buffer, completion);
                case READ_IN_PLACE -> readInPlace(buffer, completion);
                default -> namespace.read(nextBlock(), buffer, completion);
            }
        }

        private void ended(ByteBuffer buffer, @Nullable Throwable failure) {
            if (failure != null) {
                over.completeExceptionally(failure);
            }
            if (failure == null && System.nanoTime() - end < 0) {
                post(buffer);
            } else if (underWay.decrementAndGet() == 0) {
                over.complete(null);
            }
        }

        long await() throws IOException {
            try {
                over.join();
                return count.get();
            } catch (CompletionException e) {
                throw new IOException("an access of the benchmark failed: " + e.getCause(), e);
            }
        }
    }
}
