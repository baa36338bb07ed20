// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.client.CrailClient;
import io.crail.client.CrailInputStream;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** A multifile: written by several processes at once, read back as one stream. */
final class MultiFileStep implements Step {
    static final int WRITERS = 3;

    private static final String PATH = "/multifile";
    private static final int ROUNDS = 4;
    private static final int READS = 3;

    private final long share;

    /**
     * A step.
     *
     * @param bytes to write at most
     */
    MultiFileStep(long bytes) {
        this.share = share(bytes);
    }

    /** What each writer writes in a round: whole blocks. */
    private static long share(long bytes) {
        long blocks = bytes / (ROUNDS * WRITERS * (long) GeneratedFile.BLOCK);
        return Math.max(1, blocks) * GeneratedFile.BLOCK;
    }

    /** What all writers write in all rounds when they may write so much. */
    static long total(long bytes) {
        return share(bytes) * WRITERS * ROUNDS;
    }

    @Override
    public String subject() {
        return "a multifile, written by " + WRITERS + " processes";
    }

    @Override
    public void run(Stage stage) throws IOException {
        stage.client().createMultiFile(PATH);
        List<Participant> writers = new ArrayList<>();
        try {
            for (int i = 0; i < WRITERS; i++) {
                writers.add(Participant.start(stage, "writer-" + i, arguments(i)));
            }
            for (Participant writer : writers) {
                writer.awaitReady();
            }
            write(stage, writers);
        } finally {
            for (Participant writer : writers) {
                writer.close();
            }
        }
        read(stage);
    }

    private List<String> arguments(int writer) {
        return List.of(
                WriteMembersCommand.NAME,
                "--writer=" + writer,
                "--bytes=" + share,
                "--rounds=" + ROUNDS,
                PATH);
    }

    private void write(Stage stage, List<Participant> writers) throws IOException {
        MemoryWork memory = new MemoryWork(WRITERS);
        Comparison comparison = new Comparison(WRITERS + " x " + MemoryWork.COPY);
        long total = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double limit = memory.copy(share);
            long start = System.nanoTime();
            for (Participant writer : writers) {
                writer.go();
            }
            for (Participant writer : writers) {
                writer.awaitDone();
            }
            long nanos = System.nanoTime() - start;
            comparison.add(Measurement.perSecond(share * WRITERS, nanos), limit);
            total += nanos;
        }
        stage.add(row(WRITERS + " processes write a multifile", total, length(), comparison));
    }

    private void read(Stage stage) throws IOException {
        long expected = checksum();
        Comparison comparison = stage.limit().comparison();
        long total = 0;
        for (int i = 0; i < READS; i++) {
            double limit = stage.limit().measure(length());
            long nanos = Stage.time(() -> compare(stage.client(), expected));
            comparison.add(Measurement.perSecond(length(), nanos), limit);
            total += nanos;
        }
        stage.add(row("read it as one stream, comparing", total, READS * length(), comparison));
    }

    @Override
    public void verify(Stage stage) throws IOException {
        compare(stage.client(), checksum());
    }

    private static void compare(CrailClient client, long expected) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(GeneratedFile.BLOCK);
        try (CrailInputStream in = client.multiFile(PATH).openStream()) {
            while (in.read(buffer.clear()) >= 0) {
                crc.update(buffer.flip());
            }
        }
        if (crc.getValue() != expected) {
            throw new CorruptDataException(PATH + " differs from what the processes have written");
        }
    }

    private long length() {
        return share * WRITERS * ROUNDS;
    }

    /** Of what the writers write, in the order of the members' names. */
    private long checksum() {
        List<GeneratedFile> contents = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            contents.add(WriteMembersCommand.content(writer, ROUNDS * share));
        }
        CRC32C crc = new CRC32C();
        for (int round = 0; round < ROUNDS; round++) {
            for (GeneratedFile content : contents) {
                for (long done = 0; done < share; done += GeneratedFile.BLOCK) {
                    crc.update(content.block(round * share + done));
                }
            }
        }
        return crc.getValue();
    }

    private static Measurement row(
            String operation, long nanos, long bytes, Comparison comparison) {
        return new Measurement(
                operation, Measurement.size(bytes), nanos, Measurement.Kind.THROUGHPUT, comparison);
    }
}
