// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.client.CrailStream;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.CrailException;
import io.crail.error.OffsetOutOfRangeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A stream behaves like a list that several appenders add to and that loses its first elements. */
final class StreamModelTest {
    private static final int APPENDERS = 3;
    private static final Duration LONG = Duration.ofSeconds(20);

    @SuppressWarnings("NullAway.Init") // By start().
    private static EmbeddedCluster cluster;

    @SuppressWarnings("NullAway.Init") // By start().
    private static CrailClient client;

    private static int streams;

    private record Action(int kind, int who, int number) {}

    @BeforeContainer
    static void start() throws CrailException {
        cluster = EmbeddedCluster.builder().capacity(128 << 20).segmentSize(128 << 20).start();
        client = cluster.connect();
    }

    @AfterContainer
    static void stop() {
        client.close();
        cluster.close();
    }

    @Provide
    Arbitrary<List<Action>> lives() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                net.jqwik.api.Tuple.of(6, 0),
                                net.jqwik.api.Tuple.of(2, 1),
                                net.jqwik.api.Tuple.of(1, 2),
                                net.jqwik.api.Tuple.of(2, 3)),
                        Arbitraries.integers().between(0, APPENDERS - 1),
                        Arbitraries.integers().between(0, 1 << 16))
                .as(Action::new)
                .list()
                .ofMaxSize(40);
    }

    /** What happens to one stream, beside the list that it must be like. */
    private static final class Life implements AutoCloseable {
        private final String path = "/model" + streams++;
        private final List<CrailStream> appenders = new ArrayList<>();
        private final List<byte[]> records = new ArrayList<>();
        private int first;

        Life() throws CrailException {
            appenders.add(client.createStream(path, StreamOptions.DEFAULT));
            while (appenders.size() < APPENDERS) {
                appenders.add(client.stream(path));
            }
        }

        void act(Action action) throws CrailException {
            CrailStream stream = appenders.get(action.who);
            switch (action.kind) {
                case 0 -> append(stream, List.of(bytes(action.number)));
                case 1 -> {
                    List<byte[]> several = new ArrayList<>();
                    for (int i = 0; i < action.number % 50; i++) {
                        several.add(bytes(action.number + i));
                    }
                    append(stream, several);
                }
                case 2 -> {
                    int target = action.number % (records.size() + 1);
                    first = Math.max(first, target);
                    assertThat(stream.trim(target)).isEqualTo(first);
                }
                default -> read(stream, action.number % (records.size() + 1));
            }
        }

        private static byte[] bytes(int number) {
            Random random = new Random(number);
            int most = random.nextInt(30) == 0 ? 1_500_000 : random.nextInt(4) == 0 ? 9000 : 60;
            byte[] bytes = new byte[random.nextInt(most)];
            random.nextBytes(bytes);
            return bytes;
        }

        private void append(CrailStream stream, List<byte[]> more) throws CrailException {
            List<CrailFuture<Long>> futures = new ArrayList<>();
            for (byte[] record : more) {
                futures.add(stream.appendAsync(ByteBuffer.wrap(record)));
            }
            for (CrailFuture<Long> future : futures) {
                assertThat(future.join()).isEqualTo(records.size());
                records.add(more.get(futures.indexOf(future)));
            }
            stream.flush();
        }

        private void read(CrailStream stream, int from) throws CrailException {
            try (StreamReader reader = stream.reader(from)) {
                int next = from;
                while (next < records.size()) {
                    List<StreamRecord> some = reader.poll(7, LONG);
                    assertThat(from).isGreaterThanOrEqualTo(first);
                    for (StreamRecord record : some) {
                        assertThat(record.offset()).isEqualTo(next);
                        assertThat(record.toArray()).isEqualTo(records.get(next++));
                    }
                }
                assertThat(reader.poll(1, Duration.ZERO)).isEmpty();
            } catch (OffsetOutOfRangeException e) {
                assertThat(from).isLessThan(first);
                assertThat(e.firstValid()).hasValue(first);
            }
            assertThat(stream.info().first()).isEqualTo(first);
            assertThat(stream.info().next()).isEqualTo(records.size());
        }

        @Override
        public void close() throws CrailException {
            for (CrailStream stream : appenders) {
                stream.close();
            }
            client.delete(path, false);
        }
    }

    @Property(tries = 60)
    void aStreamIsAListThatManyAppendTo(@ForAll("lives") List<Action> actions)
            throws CrailException {
        try (Life life = new Life()) {
            for (Action action : actions) {
                life.act(action);
            }
            life.read(life.appenders.get(0), life.first);
        }
    }
}
