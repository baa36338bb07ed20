// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/**
 * A generated file in crail: written and read back as a stream, in turn with what the machine can
 * do with as many bytes.
 *
 * @param path in crail
 * @param file what is in it
 * @param checksum CRC32C of that
 */
record StoredFile(String path, GeneratedFile file, long checksum) {
    StoredFile(String path, GeneratedFile file) {
        this(path, file, file.checksum());
    }

    /**
     * Writes it.
     *
     * @param what operation, for the report
     * @param options where it goes; its length is added
     * @param progress told of bytes
     */
    Measurement write(
            CrailClient client,
            String what,
            CreateOptions.Builder options,
            WriteAndReadLimit limit,
            LongConsumer progress)
            throws IOException {
        Comparison comparison = new Comparison(limit.name());
        long total = 0;
        try (CrailOutputStream out =
                client.createFile(path, options.expectedBytes(file.length()).build())) {
            for (long from = 0; from < file.length(); from += part()) {
                long begin = from;
                long end = Math.min(file.length(), begin + part());
                double machine = limit.write().measure(end - begin);
                long nanos = Stage.time(() -> append(out, begin, end, progress));
                comparison.add(Measurement.perSecond(end - begin, nanos), machine);
                total += nanos;
            }
        }
        return row(what, total, comparison);
    }

    /** Ends when everybody can read it. */
    private void append(CrailOutputStream out, long begin, long end, LongConsumer progress)
            throws IOException {
        for (long position = begin; position < end; position += GeneratedFile.BLOCK) {
            ByteBuffer block = file.block(position);
            progress.accept(block.remaining());
            out.append(block);
        }
        out.sync();
    }

    /** Reads it back, and compares. */
    Measurement read(
            CrailClient client, String what, WriteAndReadLimit limit, LongConsumer progress)
            throws IOException {
        Comparison comparison = new Comparison(limit.name());
        long total = 0;
        try (Reading reading = new Reading(client, progress)) {
            for (long left = file.length(); left > 0; left -= part()) {
                long bytes = Math.min(left, part());
                double machine = limit.read().measure(bytes);
                long nanos = Stage.time(() -> reading.read(bytes));
                comparison.add(Measurement.perSecond(bytes, nanos), machine);
                total += nanos;
            }
            reading.compare();
        }
        return row(what, total, comparison);
    }

    /** Reads it once more, and compares. */
    void verify(CrailClient client) throws IOException {
        try (Reading reading = new Reading(client, bytes -> {})) {
            reading.read(file.length());
            reading.compare();
        }
    }

    /** Bytes of a batch: whole blocks. */
    private long part() {
        long blocks = (file.length() + GeneratedFile.BLOCK - 1) / GeneratedFile.BLOCK;
        long each = (blocks + Comparison.BATCHES - 1) / Comparison.BATCHES;
        return Math.max(1, each) * GeneratedFile.BLOCK;
    }

    private Measurement row(String operation, long nanos, Comparison comparison) {
        return new Measurement(
                operation,
                Measurement.size(file.length()),
                nanos,
                Measurement.Kind.THROUGHPUT,
                comparison);
    }

    /**
     * What the machine can do instead.
     *
     * @param name what it does
     * @param write does it as far as writing goes
     * @param read and as far as reading does
     */
    record WriteAndReadLimit(String name, ByteLimit.Work write, ByteLimit.Work read) {
        static WriteAndReadLimit of(ByteLimit both) {
            return new WriteAndReadLimit(both.name(), both.work(), both.work());
        }
    }

    /** A stream over the file whose checksum is taken on the way. */
    private final class Reading implements AutoCloseable {
        private final CRC32C crc = new CRC32C();
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(GeneratedFile.BLOCK);
        private final LongConsumer progress;
        private final CrailFile in;
        private final CrailInputStream stream;

        Reading(CrailClient client, LongConsumer progress) throws IOException {
            this.progress = progress;
            this.in = client.open(path);
            this.stream = in.newInputStream();
        }

        void read(long bytes) throws IOException {
            for (long left = bytes; left > 0; left -= buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), left));
                if (stream.read(buffer) < 0) {
                    throw new CorruptDataException(path + " ends " + left + " bytes early");
                }
                crc.update(buffer.flip());
                progress.accept(buffer.limit());
            }
        }

        void compare() throws IOException {
            if (in.length() != file.length() || crc.getValue() != checksum) {
                throw new CorruptDataException(
                        path
                                + " differs from what was written: "
                                + in.length()
                                + " bytes, CRC32C "
                                + Long.toHexString(crc.getValue())
                                + " instead of "
                                + Long.toHexString(checksum));
            }
        }

        @Override
        public void close() throws IOException {
            try {
                stream.close();
            } finally {
                in.close();
            }
        }
    }
}
