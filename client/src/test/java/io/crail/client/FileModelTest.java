// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.testing.FakeCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random writers and readers of one file against an array of bytes. */
class FileModelTest {
    private enum Kind {
        WRITE,
        APPEND_DIRECT,
        APPEND_ASYNC,
        FLUSH,
        SYNC,
        REOPEN,
        READ,
        STREAM
    }

    private record Action(Kind kind, int size, int where) {}

    @Provide
    Arbitrary<List<Action>> actions() {
        Arbitrary<Kind> kinds = Arbitraries.of(Kind.class);
        Arbitrary<Integer> sizes =
                Arbitraries.frequencyOf(
                        net.jqwik.api.Tuple.of(4, Arbitraries.integers().between(1, 9_000)),
                        net.jqwik.api.Tuple.of(2, Arbitraries.of(4095, 4096, 4097, 65_536)),
                        net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(1, 300_000)));
        Arbitrary<Integer> places = Arbitraries.integers().between(0, 1_000);
        return Combinators.combine(kinds, sizes, places).as(Action::new).list().ofMaxSize(40);
    }

    @Property(tries = 40)
    void readersSeeWhatWritersCommitted(
            @ForAll("actions") List<Action> actions,
            @ForAll boolean smallBlocks,
            @ForAll boolean checksums)
            throws IOException {
        try (FakeCluster cluster = new FakeCluster(2)) {
            cluster.namenode().maxBlock(smallBlocks ? 8192 : 1 << 20);
            try (CrailClient client = cluster.connect()) {
                Model model = new Model(client, checksums);
                for (Action action : actions) {
                    model.run(action);
                }
                model.finish();
            }
        }
    }

    /** The file, and what it should hold. */
    private static final class Model {
        private final CrailClient client;
        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private CrailOutputStream out;
        private int committed;
        private byte next;

        Model(CrailClient client, boolean checksums) throws IOException {
            this.client = client;
            out = client.createFile("/f", CreateOptions.builder().checksums(checksums).build());
        }

        void run(Action action) throws IOException {
            switch (action.kind()) {
                case WRITE -> out.write(fresh(action.size()));
                case APPEND_DIRECT -> out.append(direct(action.size()));
                case APPEND_ASYNC -> out.appendAsync(direct(action.size())).join();
                case FLUSH -> out.flush();
                case SYNC -> {
                    out.sync();
                    committed = written.size();
                }
                case REOPEN -> {
                    close();
                    out = client.append("/f");
                }
                case READ -> read(action);
                case STREAM -> stream(action);
            }
            assertThat(out.position()).isEqualTo(written.size());
        }

        private byte[] fresh(int size) {
            byte[] bytes = new byte[size];
            for (int i = 0; i < size; i++) {
                bytes[i] = next;
                next = (byte) (next + 7);
            }
            written.writeBytes(bytes);
            return bytes;
        }

        private ByteBuffer direct(int size) {
            return ByteBuffer.allocateDirect(size).put(fresh(size)).flip();
        }

        private void close() throws IOException {
            out.close();
            committed = written.size();
        }

        private void read(Action action) throws IOException {
            try (CrailFile file = client.open("/f")) {
                assertThat(file.length()).isEqualTo(committed);
                int from = (int) ((long) committed * action.where() / 1000);
                int length = Math.min(action.size(), committed - from);
                ByteBuffer target =
                        action.where() % 2 == 0
                                ? ByteBuffer.allocate(action.size())
                                : ByteBuffer.allocateDirect(action.size());
                int read = file.read(from, target);
                assertThat(read).isEqualTo(length == 0 ? -1 : length);
                byte[] got = new byte[Math.max(0, read)];
                target.flip().get(got);
                assertThat(got).isEqualTo(expected(from, from + length));
            }
        }

        private void stream(Action action) throws IOException {
            try (CrailFile file = client.open("/f");
                    CrailInputStream in = file.newInputStream()) {
                int from = (int) ((long) committed * action.where() / 1000);
                in.seek(from);
                assertThat(in.readAllBytes()).isEqualTo(expected(from, committed));
            }
        }

        private byte[] expected(int from, int to) {
            return Arrays.copyOfRange(written.toByteArray(), from, to);
        }

        void finish() throws IOException {
            close();
            stream(new Action(Kind.STREAM, 1, 0));
        }
    }
}
