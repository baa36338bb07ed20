// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.Exchange;
import io.crail.client.spi.RpcChannel.Withdrawn;
import io.crail.protocol.frame.FrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutgoingTest {
    private static final int FRAME = FrameHeader.SIZE;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Socket socket = new Socket();
    private volatile @Nullable GatheringByteChannel channel = socket;
    private final Outgoing outgoing =
            new Outgoing(
                    ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN),
                    new Wire(),
                    this::now);
    private final AtomicInteger goesOn = new AtomicInteger();
    private volatile boolean clockStands;

    /** Takes everything; counts writes and bytes, and does something during a write. */
    private static final class Socket implements GatheringByteChannel {
        private final List<Integer> writes = new ArrayList<>();
        private volatile Callable<?> meanwhile = () -> 0;

        @Override
        public synchronized int write(ByteBuffer source) throws IOException {
            int taken = source.remaining();
            source.position(source.limit());
            writes.add(taken);
            try {
                meanwhile.call();
            } catch (Exception e) {
                throw new IOException(e);
            }
            return taken;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            throw new UnsupportedOperationException("no frame here has a payload");
        }

        @Override
        public long write(ByteBuffer[] sources) {
            return write(sources, 0, sources.length);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}

        synchronized int frames() {
            return writes.stream().mapToInt(Integer::intValue).sum() / FRAME;
        }
    }

    private final class Wire implements Outgoing.Wire {
        @Override
        public @Nullable GatheringByteChannel channel() {
            return channel;
        }

        @Override
        public void sent(boolean all) {
            assertThat(all).isTrue();
        }

        @Override
        public void sendFailed(IOException failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void goOn() {
            goesOn.incrementAndGet();
            Future<?> unused = threads.submit(outgoing::flush);
        }
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private long now() {
        return clockStands ? 0 : System.nanoTime();
    }

    /** A frame whose sender waits for the answer. */
    private static Exchange awaited(long id) {
        return new FrameSenderTest.Request(id, new byte[0], null) {
            @Override
            public boolean isAwaitedAlone() {
                return true;
            }
        };
    }

    private static Exchange frame(long id) {
        return new FrameSenderTest.Request(id, new byte[0], null);
    }

    private static void finished(Future<?> task) throws Exception {
        task.get(30, TimeUnit.SECONDS);
    }

    @Test
    void whoPostsWhileAnotherSendsDoesNotWaitAndItsFrameGoesOutNext() throws Exception {
        outgoing.connected();
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(1);
        socket.meanwhile =
                () -> {
                    writing.countDown();
                    return others.await(30, TimeUnit.SECONDS);
                };
        Future<?> first = threads.submit(() -> outgoing.post(frame(1)));
        assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();

        finished(threads.submit(() -> outgoing.post(frame(2))));
        finished(threads.submit(() -> outgoing.post(frame(3))));

        assertThat(first.isDone()).isFalse();
        others.countDown();
        finished(first);
        assertThat(socket.writes).containsExactly(FRAME, 2 * FRAME);
    }

    @Test
    void whatThreadsPostThatWereAnsweredTogetherGoesOutTogether() throws Exception {
        outgoing.connected();
        clockStands = true;
        outgoing.answered(3);
        List<Future<?>> posts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Exchange frame = awaited(i);
            posts.add(threads.submit(() -> outgoing.post(frame)));
        }

        for (Future<?> each : posts) {
            finished(each);
        }

        assertThat(socket.writes).containsExactly(3 * FRAME);
    }

    @Test
    void whoseCompanyDoesNotComePostsAlone() {
        outgoing.connected();
        outgoing.answered(2);

        outgoing.post(awaited(1));
        assertThat(socket.writes).containsExactly(FRAME);
        outgoing.post(awaited(2));

        assertThat(socket.writes).containsExactly(FRAME, FRAME);
    }

    @Test
    void aFrameThatNobodyWaitsForIsNotHeldUpByThoseWhoWaitForCompany() throws Exception {
        outgoing.connected();
        clockStands = true;
        outgoing.answered(2);
        Future<?> waiting = threads.submit(() -> outgoing.post(awaited(1)));

        outgoing.post(frame(2));

        assertThat(socket.frames()).isPositive();
        outgoing.flush();
        outgoing.post(awaited(3));
        finished(waiting);
        assertThat(socket.frames()).isEqualTo(3);
    }

    @Test
    void whoSendsForOthersEndsThoughTheyPostOnAndOn() throws Exception {
        outgoing.connected();
        AtomicInteger left = new AtomicInteger(20);
        socket.meanwhile =
                () -> {
                    if (left.getAndDecrement() > 0) {
                        finished(threads.submit(() -> outgoing.post(frame(left.get()))));
                    }
                    return 0;
                };

        outgoing.post(frame(100));

        assertThat(goesOn.get()).isPositive();
        awaitFrames(21);
    }

    @Test
    void aFrameThatIsTakenBackBeforeThereIsAConnectionNeverGoesOut() {
        Exchange unwanted = frame(1);
        outgoing.post(unwanted);
        outgoing.post(frame(2));

        assertThat(outgoing.withdraw(unwanted)).isEqualTo(Withdrawn.UNSENT);

        outgoing.connected();
        outgoing.flushAll();
        assertThat(socket.writes).containsExactly(FRAME);
    }

    @Test
    void nothingGoesOutAfterTheEnd() {
        outgoing.connected();
        outgoing.end();

        outgoing.post(frame(1));
        outgoing.flushAll();

        assertThat(socket.writes).isEmpty();
    }

    @Test
    void whoHeldTheLockForAnotherReasonSendsWhatWasPostedMeanwhile() throws Exception {
        outgoing.connected();
        channel = null;
        outgoing.post(frame(1));
        CountDownLatch compares = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(1);
        Exchange unknown =
                new FrameSenderTest.Request(7, new byte[0], null) {
                    @Override
                    public boolean equals(@Nullable Object other) {
                        compares.countDown();
                        try {
                            return !others.await(30, TimeUnit.SECONDS);
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    }

                    @Override
                    public int hashCode() {
                        return 7;
                    }
                };
        Future<Withdrawn> withdrawn = threads.submit(() -> outgoing.withdraw(unknown));
        assertThat(compares.await(30, TimeUnit.SECONDS)).isTrue();
        channel = socket;

        finished(threads.submit(() -> outgoing.post(frame(2))));

        assertThat(socket.writes).isEmpty();
        others.countDown();
        assertThat(withdrawn.get(30, TimeUnit.SECONDS)).isEqualTo(Withdrawn.SENT);
        assertThat(socket.writes).containsExactly(2 * FRAME);
    }

    @Test
    void noFrameIsLeftBehindWhateverOthersDoMeanwhile() throws Exception {
        outgoing.connected();
        int posters = 3;
        int each = 20_000;
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < posters; i++) {
            tasks.add(
                    threads.submit(
                            () -> {
                                for (int id = 1; id <= each; id++) {
                                    outgoing.post(id % 3 == 0 ? frame(id) : awaited(id));
                                    outgoing.answered(id % 2);
                                }
                            }));
        }
        tasks.add(
                threads.submit(
                        () -> {
                            for (int id = 1; id <= each; id++) {
                                assertThat(outgoing.isConnected()).isTrue();
                                Exchange frame = frame(id);
                                if (outgoing.leave(frame, 3, 2) == Outgoing.Left.NOT) {
                                    outgoing.post(frame);
                                }
                                outgoing.flushLeft();
                            }
                        }));
        for (Future<?> task : tasks) {
            finished(task);
        }
        awaitFrames((posters + 1) * each);
    }

    /** What a poller has to go on with is under way when the posters are done. */
    private void awaitFrames(int expected) {
        while (socket.frames() < expected) {
            assertThat(Thread.interrupted()).isFalse(); // the time is bounded by that of the test
            Thread.onSpinWait();
        }
        assertThat(socket.frames()).isEqualTo(expected);
    }
}
