// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.statistics.MeanStatistic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a file system says that it has done. */
@Tag("hadoop")
@Timeout(120)
class StatisticsTest extends Opened {
    private long counter(String name) {
        return Objects.requireNonNull(fs.getIOStatistics().counters().get(name), name);
    }

    private MeanStatistic mean(String operation) {
        String name = operation + ".mean";
        return Objects.requireNonNull(fs.getIOStatistics().meanStatistics().get(name), name);
    }

    @Test
    void operationsAreCountedUnderTheNamesOfHadoop() throws IOException {
        FileSystem.Statistics ofScheme = fs.counters().ofScheme();
        int read = ofScheme.getReadOps();
        int written = ofScheme.getWriteOps();
        long mkdirs = counter("op_mkdirs");
        write("a", bytes(10));
        fs.append(path("a")).close();
        assertThat(read(path("a"))).hasSize(10);
        fs.listStatus(directory);
        fs.getFileStatus(path("a"));
        fs.setPermission(path("a"), new FsPermission((short) 0600));
        fs.setXAttr(path("a"), "user.x", new byte[1]);
        fs.rename(path("a"), path("b"));
        fs.mkdirs(path("c"));
        fs.delete(path("b"), false);
        fs.exists(path("b"));
        List<Path> gone = List.of(fs.makeQualified(path("c")));
        assertThat(fs.createBulkDelete(directory).bulkDelete(gone)).isEmpty();
        for (String once :
                List.of(
                        "op_create",
                        "op_append",
                        "op_open",
                        "op_list_status",
                        "op_get_file_status",
                        "op_set_permission",
                        "op_set_xattr",
                        "op_rename",
                        "op_delete",
                        "op_bulk-delete",
                        "op_exists")) {
            assertThat(counter(once)).as(once).isEqualTo(1);
            assertThat(counter(once + ".failures")).as(once).isZero();
            assertThat(mean(once).getSamples()).as(once).isEqualTo(1);
        }
        assertThat(counter("op_mkdirs")).isEqualTo(mkdirs + 1);
        assertThat(ofScheme.getReadOps() - read).isEqualTo(4);
        assertThat(ofScheme.getWriteOps() - written).isEqualTo(8);
    }

    @Test
    void failuresAreCountedAndHaveNoDuration() {
        assertThatThrownBy(() -> fs.getFileStatus(path("nowhere")))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> fs.openFile(path("nowhere")).build().get())
                .hasCauseInstanceOf(FileNotFoundException.class);
        for (String name : List.of("op_get_file_status", "op_openfile")) {
            assertThat(counter(name)).isEqualTo(1);
            assertThat(counter(name + ".failures")).isEqualTo(1);
            assertThat(mean(name).getSamples()).isZero();
            assertThat(fs.getIOStatistics().minimums().get(name + ".min")).isEqualTo(-1);
        }
    }

    @Test
    void durationsAreThoseOfTheCalls() throws IOException {
        int calls = 2000;
        long start = System.nanoTime();
        for (int i = 0; i < calls; i++) {
            fs.getFileStatus(directory);
        }
        long millis = (System.nanoTime() - start) / 1_000_000;
        MeanStatistic mean = mean("op_get_file_status");
        assertThat(mean.getSamples()).isEqualTo(calls);
        assertThat(mean.getSum()).isBetween(1L, millis);
        assertThat(fs.getIOStatistics().maximums().get("op_get_file_status.max"))
                .isBetween(0L, millis);
        assertThat(fs.getIOStatistics().minimums().get("op_get_file_status.min"))
                .isBetween(0L, millis);
    }

    @Test
    void closedStreamsAddWhatTheyHaveMoved() throws IOException {
        try (FSDataOutputStream out = fs.create(path("file"))) {
            out.write(bytes(100_000));
            out.hflush();
            out.hsync();
        }
        assertThat(counter("stream_write_bytes")).isEqualTo(100_000);
        assertThat(counter("op_hflush")).isEqualTo(1);
        assertThat(counter("op_hsync")).isEqualTo(1);
        try (FSDataInputStream in = fs.open(path("file"))) {
            in.seek(50_000);
            in.readFully(new byte[1000]);
            List<FileRange> ranges =
                    List.of(
                            FileRange.createFileRange(0, 10),
                            FileRange.createFileRange(20, 10),
                            FileRange.createFileRange(90_000, 10));
            in.readVectored(ranges, ByteBuffer::allocate);
            ranges.forEach(range -> range.getData().join());
            assertThat(counter("stream_read_bytes")).isZero();
        }
        assertThat(counter("stream_read_close_operations")).isEqualTo(1);
        assertThat(counter("stream_read_bytes")).isGreaterThanOrEqualTo(1030);
        assertThat(counter("stream_read_seek_operations")).isEqualTo(1);
        assertThat(counter("stream_read_vectored_operations")).isEqualTo(1);
        assertThat(counter("stream_read_vectored_incoming_ranges")).isEqualTo(3);
        assertThat(counter("stream_read_vectored_combined_ranges")).isEqualTo(2);
    }

    @Test
    void storageStatisticsAreTheSameCounters() throws IOException {
        write("file", bytes(1));
        StorageStatistics statistics = fs.getStorageStatistics();
        assertThat(statistics.getScheme()).isEqualTo("crail");
        assertThat(statistics.isTracked("op_create")).isTrue();
        assertThat(statistics.getLong("op_create")).isEqualTo(1);
        assertThat(statistics.getLong("stream_write_bytes")).isEqualTo(1);
    }

    @Test
    void noCallOfManyThreadsIsLost() throws InterruptedException, ExecutionException {
        int threads = 8;
        int calls = 500;
        Path[] paths = {directory, path("nowhere")};
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                done.add(
                        pool.submit(
                                () -> {
                                    for (int call = 0; call < calls; call++) {
                                        fs.exists(paths[call % 2]);
                                    }
                                    return null;
                                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(counter("op_exists")).isEqualTo((long) threads * calls);
        assertThat(mean("op_exists").getSamples()).isEqualTo((long) threads * calls);
    }
}
