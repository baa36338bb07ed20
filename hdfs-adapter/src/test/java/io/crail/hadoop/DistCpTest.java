// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.DistCpOptions;
import org.apache.hadoop.tools.mapred.CopyMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trees are copied between HDFS, crail, and the local file system; checksums are compared. */
@Tag("hadoop")
@Timeout(120)
class DistCpTest extends Opened {
    // Several blocks of HDFS, pieces of one, and nothing.
    private static final List<Integer> LENGTHS = List.of((3 << 20) + 77, 1 << 20, 1, 0);

    @TempDir private static java.nio.file.Path local;

    private static TestHdfs server;
    private static FileSystem hdfs;

    @BeforeAll
    static void start() throws IOException {
        server = TestHdfs.start(local.resolve("hdfs"));
        hdfs = FileSystem.newInstance(server.uri(), configuration());
    }

    @AfterAll
    static void stop() throws IOException {
        hdfs.close();
        server.close();
    }

    private static Configuration configuration() {
        Configuration configuration = TestCluster.configuration();
        configuration.set("mapreduce.framework.name", "local");
        configuration.set("hadoop.tmp.dir", local.resolve("jobs").toString());
        configuration.set("dfs.checksum.combine.mode", "COMPOSITE_CRC");
        configuration.set("dfs.blocksize", "1m");
        configuration.setInt("dfs.replication", 1);
        return configuration;
    }

    private static void fill(FileSystem target, Path directory) throws IOException {
        for (int length : LENGTHS) {
            try (OutputStream out = target.create(new Path(directory, "sub/" + length))) {
                out.write(bytes(length));
            }
        }
    }

    /** The files are there, with their bytes, and no others. */
    private static void assertFilled(FileSystem target, Path directory) throws IOException {
        Map<String, Integer> found = new TreeMap<>();
        RemoteIterator<LocatedFileStatus> files = target.listFiles(directory, true);
        while (files.hasNext()) {
            Path file = files.next().getPath();
            try (InputStream in = target.open(file)) {
                byte[] read = in.readAllBytes();
                assertThat(read).isEqualTo(bytes(read.length));
                found.put(file.getName(), read.length);
            }
        }
        assertThat(found.values()).containsExactlyInAnyOrderElementsOf(LENGTHS);
    }

    private static long[] copy(Path source, Path target, boolean update) throws IOException {
        DistCpOptions options =
                new DistCpOptions.Builder(List.of(source), target)
                        .withSyncFolder(update)
                        .maxMaps(2)
                        .build();
        Job job;
        try {
            job = new DistCp(configuration(), options).execute();
        } catch (Exception e) { // that is what DistCp declares
            throw e instanceof IOException known ? known : new IOException(e);
        }
        return new long[] {
            job.getCounters().findCounter(CopyMapper.Counter.COPY).getValue(),
            job.getCounters().findCounter(CopyMapper.Counter.SKIP).getValue()
        };
    }

    private Path on(FileSystem any, String name) {
        return any.makeQualified(new Path(directory, name));
    }

    @Test
    void checksumsAreThoseOfHdfs() throws IOException {
        fill(hdfs, on(hdfs, "sums"));
        fill(fs, on(fs, "sums"));
        for (int length : LENGTHS) {
            Path file = new Path(directory, "sums/sub/" + length);
            if (length > 0) { // HDFS has another kind of checksum for nothing
                assertThat(fs.getFileChecksum(file)).isEqualTo(hdfs.getFileChecksum(file));
            }
        }
    }

    @Test
    void treesAreCopiedFromHdfsAndBack() throws IOException {
        fill(hdfs, on(hdfs, "from"));
        assertThat(copy(on(hdfs, "from"), on(fs, "copied"), false)[0]).isEqualTo(LENGTHS.size());
        assertFilled(fs, path("copied"));
        assertThat(copy(on(fs, "copied"), on(hdfs, "back"), false)[0]).isEqualTo(LENGTHS.size());
        assertFilled(hdfs, on(hdfs, "back"));
    }

    @Test
    void anUpdateCopiesWhatDiffersAndNothingElse() throws IOException {
        fill(hdfs, on(hdfs, "from"));
        copy(on(hdfs, "from"), on(fs, "to"), true);
        assertThat(copy(on(hdfs, "from"), on(fs, "to"), true)).containsExactly(0, LENGTHS.size());
        // Of the same length: only checksums tell.
        byte[] other = bytes(1 << 20);
        other[12345]++;
        write("to/sub/" + (1 << 20), other);
        assertThat(copy(on(hdfs, "from"), on(fs, "to"), true))
                .containsExactly(1, LENGTHS.size() - 1);
        assertFilled(fs, path("to"));
        assertThat(copy(on(fs, "to"), on(hdfs, "from"), true)).containsExactly(0, LENGTHS.size());
    }

    @Test
    void treesAreCopiedFromTheLocalDiskAndBack() throws IOException {
        Path from = new Path(local.resolve("tree").toUri());
        try (FileSystem disk = FileSystem.newInstance(URI.create("file:///"), configuration())) {
            fill(disk, from);
            assertThat(copy(from, on(fs, "copied"), true)).containsExactly(LENGTHS.size(), 0);
            assertFilled(fs, path("copied"));
            // The local disk has no checksums to compare with: lengths and times decide.
            assertThat(copy(from, on(fs, "copied"), true)).containsExactly(0, LENGTHS.size());
            Path back = new Path(local.resolve("back").toUri());
            copy(on(fs, "copied"), back, true);
            assertFilled(disk, back);
        }
        assertThat(Files.size(local.resolve("back/sub/1"))).isEqualTo(1);
    }

    @Test
    void aMissingSourceIsAnError() {
        assertThatThrownBy(() -> copy(on(hdfs, "nowhere"), on(fs, "to"), false))
                .hasMessageContaining("nowhere");
    }
}
