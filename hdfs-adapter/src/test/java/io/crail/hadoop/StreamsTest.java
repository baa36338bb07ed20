// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.StreamStatisticNames;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.junit.jupiter.api.Test;

/** What is promised of streams and is not in Hadoop's suites. */
class StreamsTest extends Opened {
    @Test
    void whatIsFlushedToReadersIsThereForWhoOpensTheFile() throws IOException {
        try (FSDataOutputStream out = fs.create(path("log"))) {
            out.write(bytes(100));
            out.flush();
            assertThat(fs.getFileStatus(path("log")).getLen()).isZero();
            out.hflush();
            assertThat(read(path("log"))).isEqualTo(bytes(100));
            out.write(1);
            out.hsync();
            assertThat(fs.getFileStatus(path("log")).getLen()).isEqualTo(101);
        }
    }

    @Test
    void anAbortedFileIsGoneThoughItWasVisible() throws IOException {
        FSDataOutputStream out = fs.create(path("unwanted"));
        out.write(bytes(100));
        out.hflush();
        assertThat(out.abort().anyCleanupException()).isNull();
        assertThat(fs.exists(path("unwanted"))).isFalse();
        out.close();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(ClosedChannelException.class);
        assertThat(out.abort().alreadyClosed()).isTrue();
    }

    @Test
    void anAbortRemovesNoOtherFileOfTheName() throws IOException {
        FSDataOutputStream out = fs.create(path("file"));
        out.write(1);
        out.hflush();
        write("file", bytes(10));
        out.abort();
        assertThat(read(path("file"))).isEqualTo(bytes(10));
    }

    @Test
    void anAbortedAppendLeavesTheFileAsItWas() throws IOException {
        Path file = write("file", bytes(10));
        FSDataOutputStream out = fs.append(file);
        assertThat(out.getPos()).isEqualTo(10);
        out.write(bytes(100));
        out.abort();
        assertThat(read(file)).isEqualTo(bytes(10));
    }

    @Test
    void whatIsLookedAtInPlaceIsNotCopied() throws IOException {
        byte[] content = bytes((2 << 20) + 500);
        Path file = write("file", content);
        ElasticByteBufferPool pool = new ElasticByteBufferPool();
        byte[] seen = new byte[content.length];
        int at = 0;
        try (FSDataInputStream in = open(file)) {
            ByteBuffer part = in.read(pool, 1 << 20, EnumSet.noneOf(ReadOption.class));
            while (part != null) {
                assertThat(part.isDirect()).isTrue();
                assertThat(part.isReadOnly()).isTrue();
                int length = part.remaining();
                part.get(seen, at, length);
                at += length;
                assertThat(in.getPos()).isEqualTo(at);
                in.releaseBuffer(part);
                part = in.read(pool, 1 << 20, EnumSet.of(ReadOption.SKIP_CHECKSUMS));
            }
        }
        assertThat(at).isEqualTo(content.length);
        assertThat(seen).isEqualTo(content);
        assertThat(fs.client().clientStatistics().over("shm").bytesLent())
                .isGreaterThanOrEqualTo(content.length);
    }

    @Test
    void aBufferIsGivenBackOnce() throws IOException {
        Path file = write("file", bytes(5000));
        try (FSDataInputStream in = open(file)) {
            ByteBuffer part =
                    in.read(new ElasticByteBufferPool(), 10, EnumSet.noneOf(ReadOption.class));
            in.releaseBuffer(part);
            assertThatThrownBy(() -> in.releaseBuffer(part))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void neighboursAreReadAsOneIntoBuffersOfTheirOwn()
            throws IOException, ExecutionException, InterruptedException {
        byte[] content = bytes(4 << 20);
        Path file = write("file", content);
        List<FileRange> ranges = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            ranges.add(FileRange.createFileRange(i * 4096L, 1 + i));
        }
        ranges.add(FileRange.createFileRange(4 << 20, 0));
        try (FSDataInputStream in = open(file)) {
            in.readVectored(ranges, ByteBuffer::allocateDirect);
            for (FileRange range : ranges) {
                ByteBuffer found = range.getData().get();
                byte[] seen = new byte[range.getLength()];
                found.get(seen);
                int from = (int) range.getOffset();
                assertThat(seen).isEqualTo(Arrays.copyOfRange(content, from, from + seen.length));
            }
            IOStatistics counted = in.getIOStatistics();
            assertThat(
                            counted.counters()
                                    .get(StreamStatisticNames.STREAM_READ_VECTORED_COMBINED_RANGES))
                    .isLessThan(50);
        }
    }

    @Test
    void aRangeBehindTheEndFailsAloneAndReleasesNothingOfOthers()
            throws IOException, ExecutionException, InterruptedException {
        Path file = write("file", bytes(1000));
        FileRange good = FileRange.createFileRange(900, 100);
        FileRange bad = FileRange.createFileRange(950 + 50, 1);
        try (FSDataInputStream in = open(file)) {
            in.readVectored(List.of(good, bad), ByteBuffer::allocate);
            assertThat(good.getData().get().remaining()).isEqualTo(100);
            assertThatThrownBy(() -> bad.getData().get()).hasCauseInstanceOf(EOFException.class);
        }
    }

    @Test
    void aSeekPastTheEndIsRefused() throws IOException {
        Path file = write("file", bytes(10));
        try (FSDataInputStream in = open(file)) {
            in.seek(10);
            assertThat(in.read()).isEqualTo(-1);
            assertThatThrownBy(() -> in.seek(11)).isInstanceOf(EOFException.class);
        }
    }

    @Test
    void aLargeFileIsReadByAllWays() throws IOException {
        byte[] content = bytes(9 << 20);
        Path file = write("file", content);
        assertThat(read(file)).isEqualTo(content);
        try (FSDataInputStream in =
                fs.openFile(file).opt("fs.option.openfile.read.policy", "random").build().join()) {
            byte[] all = new byte[content.length];
            in.readFully(all);
            assertThat(all).isEqualTo(content);
            ByteBuffer direct = ByteBuffer.allocateDirect(100_000);
            in.readFully(1_234_567, direct);
            byte[] part = new byte[100_000];
            direct.flip().get(part);
            assertThat(part).isEqualTo(Arrays.copyOfRange(content, 1_234_567, 1_334_567));
        }
    }
}
