// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailFuture;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.OffsetOutOfRangeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are joined and cut, byte by byte, over shared memory and over the network. */
final class SpliceTest {
    private static final byte[] CONTENT = new byte[3 << 20];

    static {
        new Random(5).nextBytes(CONTENT);
    }

    private final EmbeddedCluster cluster;
    private CrailClient client;

    SpliceTest() throws IOException {
        cluster = EmbeddedCluster.builder().servers(2).start();
        client = cluster.connect();
    }

    @AfterEach
    void stop() {
        client.close();
        cluster.close();
    }

    private void connect(boolean sharedMemory) throws IOException {
        client.close();
        client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(cluster.namenode()))
                                .sharedMemory(sharedMemory)
                                .build());
    }

    private static byte[] content(int from, int length) {
        return Arrays.copyOfRange(CONTENT, from, from + length);
    }

    private byte[] write(String path, int from, int length, CreateOptions options)
            throws IOException {
        byte[] content = content(from, length);
        try (CrailOutputStream out = client.createFile(path, options)) {
            out.write(content);
        }
        return content;
    }

    private byte[] write(String path, int from, int length) throws IOException {
        return write(path, from, length, CreateOptions.DEFAULT);
    }

    private byte[] read(String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            return read(file);
        }
    }

    private static byte[] read(CrailFile file) throws IOException {
        ByteBuffer target = ByteBuffer.allocate((int) file.length());
        file.readFully(0, target);
        return target.array();
    }

    private static byte[] together(byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer whole = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            whole.put(part);
        }
        return whole.array();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void joinedFilesHaveTheBytesOfAllAndGoOn(boolean sharedMemory) throws IOException {
        connect(sharedMemory);
        byte[] a = write("/a", 1, 1_234_567);
        byte[] b = write("/b", 77, 5000);
        byte[] c = write("/c", 99, 4096);
        byte[] d = write("/d", 3, 10);
        write("/empty", 0, 0);
        try (CrailFile before = client.open("/b");
                CrailFile target = client.open("/a")) {
            assertThat(client.concat("/a", List.of("/b", "/empty", "/c", "/d")).length())
                    .isEqualTo(a.length + b.length + c.length + d.length);
            byte[] e = content(1000, 9000);
            try (CrailOutputStream out = client.append("/a")) {
                out.write(e);
            }
            byte[] all = together(a, b, c, d, e);
            assertThat(read("/a")).isEqualTo(all);
            assertThat(read(before)).isEqualTo(b);
            assertThat(read(target)).isEqualTo(a);
            assertThat(target.refresh().length()).isEqualTo(all.length);
            assertThat(read(target)).isEqualTo(all);
            ByteBuffer across = ByteBuffer.allocateDirect(20_000);
            target.readFully(a.length - 3000, across);
            assertThat(across.flip())
                    .isEqualTo(ByteBuffer.wrap(all, a.length - 3000, 20_000).slice());
            client.delete("/a", false);
            assertThat(read(before)).isEqualTo(b);
            assertThat(read(target)).isEqualTo(all);
        }
        assertThat(client.lookup("/b")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileIsCutAnywhereAndGoesOnFromThere(boolean sharedMemory) throws IOException {
        connect(sharedMemory);
        byte[] a = write("/a", 7, 2_500_000);
        byte[] expected = a;
        List<CrailFile> open = new ArrayList<>();
        List<byte[]> contents = new ArrayList<>();
        for (int length : new int[] {2_400_001, 2_097_152, 2_097_150, 1_048_577, 8192, 4097, 5}) {
            open.add(client.open("/a"));
            contents.add(expected);
            assertThat(client.truncate("/a", length).length()).isEqualTo(length);
            expected = Arrays.copyOf(expected, length);
            assertThat(read("/a")).isEqualTo(expected);
            byte[] more = content(length, 3000);
            try (CrailOutputStream out = client.append("/a")) {
                out.write(more);
            }
            expected = together(expected, more);
            assertThat(read("/a")).isEqualTo(expected);
        }
        client.truncate("/a", 0);
        assertThat(read("/a")).isEmpty();
        client.delete("/a", false);
        for (int i = 0; i < open.size(); i++) {
            try (CrailFile file = open.get(i)) {
                file.refresh();
                assertThat(read(file)).isEqualTo(contents.get(i));
                int length = contents.get(i).length;
                try (CrailView view = file.view(length - 100, 100)) {
                    assertThat(view.buffers().get(0).get(0))
                            .isEqualTo(contents.get(i)[length - 100]);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void filesWithoutChecksumsAreJoinedAndCutAmongThemselves(boolean sharedMemory)
            throws IOException {
        connect(sharedMemory);
        CreateOptions plain = CreateOptions.builder().checksums(false).build();
        byte[] a = write("/a", 1, 5000, plain);
        byte[] b = write("/b", 2, 6000, plain);
        write("/c", 3, 100);
        client.concat("/a", List.of("/b"));
        client.truncate("/a", 10_001);
        assertThat(read("/a")).isEqualTo(Arrays.copyOf(together(a, b), 10_001));
        assertThatThrownBy(() -> client.concat("/a", List.of("/c")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("checksums");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatCannotBeIsToldAndNothingChanges(boolean asynchronously) throws IOException {
        byte[] a = write("/a", 1, 5000);
        write("/b", 1, 5000);
        List<String> many = new ArrayList<>();
        for (int i = 0; i <= 1000; i++) {
            many.add("/b" + i);
        }
        assertThatThrownBy(() -> concat(asynchronously, "/a", many))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> concat(asynchronously, "/a", List.of()))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> truncate(asynchronously, "/a", -1))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> truncate(asynchronously, "/a", 5001))
                .isInstanceOf(OffsetOutOfRangeException.class);
        try (CrailOutputStream out = client.append("/b")) {
            assertThatThrownBy(() -> concat(asynchronously, "/a", List.of("/b")))
                    .isInstanceOf(LeaseHeldException.class);
            assertThatThrownBy(() -> truncate(asynchronously, "/b", 4999))
                    .isInstanceOf(LeaseHeldException.class);
            out.write(1);
        }
        assertThat(client.status("/b").length()).isEqualTo(5001);
        assertThat(read("/a")).isEqualTo(a);
        truncate(asynchronously, "/b", 4999);
        concat(asynchronously, "/a", List.of("/b"));
        assertThat(client.status("/a").length()).isEqualTo(9999);
    }

    private void concat(boolean asynchronously, String target, List<String> sources)
            throws IOException {
        if (asynchronously) {
            await(client.concatAsync(target, sources));
        } else {
            client.concat(target, sources);
        }
    }

    private static void await(CrailFuture<?> future) throws IOException {
        try {
            future.join();
        } catch (CompletionException e) {
            throw CrailException.class.cast(e.getCause());
        }
    }

    private void truncate(boolean asynchronously, String path, long length) throws IOException {
        if (asynchronously) {
            await(client.truncateAsync(path, length));
        } else {
            client.truncate(path, length);
        }
    }
}
