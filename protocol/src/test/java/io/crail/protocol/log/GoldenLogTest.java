// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.golden.GoldenField;
import io.crail.protocol.golden.GoldenVector;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The constants of the layouts against golden files. */
class GoldenLogTest {
    private static ByteBuffer bytes(GoldenVector vector) {
        return ByteBuffer.wrap(vector.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Where a field lies in its vector. */
    private static int at(GoldenVector vector, String name) {
        int at = 0;
        for (GoldenField field : vector.fields()) {
            if (field.name().equals(name)) {
                return at;
            }
            at += field.bytes().length;
        }
        throw new AssertionError(vector.name() + " has no field " + name);
    }

    private static int crc(ByteBuffer bytes, int from, int to) {
        return ChunkChecksum.crc(bytes, from, to - from);
    }

    @Test
    void logHeaderIsAsStated() {
        GoldenVector log = GoldenVector.load("log/log.txt");
        assertThat(at(log, "header.magic")).isEqualTo(LogLayout.MAGIC_OFFSET);
        assertThat(at(log, "header.version")).isEqualTo(LogLayout.VERSION_OFFSET);
        assertThat(at(log, "header.cluster")).isEqualTo(LogLayout.CLUSTER_OFFSET);
        assertThat(at(log, "header.firstSequence")).isEqualTo(LogLayout.FIRST_SEQUENCE_OFFSET);
        assertThat(at(log, "header.crc")).isEqualTo(LogLayout.HEADER_CRC_OFFSET);
        assertThat(at(log, "record1.length")).isEqualTo(LogLayout.HEADER_SIZE);
        assertThat(log.number("header.magic")).isEqualTo(LogLayout.MAGIC);
        assertThat(log.number("header.version")).isEqualTo(LogLayout.VERSION);
        assertThat(log.number("header.firstSequence")).isEqualTo(LogLayout.FIRST_SEQUENCE);
        assertThat(crc(bytes(log), 0, LogLayout.HEADER_CRC_OFFSET))
                .isEqualTo((int) log.number("header.crc"));
    }

    @Test
    void logRecordsAreAsStated() {
        GoldenVector log = GoldenVector.load("log/log.txt");
        for (String record : new String[] {"record1.", "record2."}) {
            int start = at(log, record + "length");
            int end = start + (int) log.number(record + "length");
            assertThat(at(log, record + "crc") - start).isEqualTo(LogLayout.CRC);
            assertThat(at(log, record + "sequence") - start).isEqualTo(LogLayout.SEQUENCE);
            assertThat(at(log, record + "type") - start).isEqualTo(LogLayout.TYPE);
            assertThat(at(log, record + "flags") - start).isEqualTo(LogLayout.FLAGS);
            assertThat(at(log, record + "session") - start).isEqualTo(LogLayout.SESSION);
            assertThat(at(log, record + "requestId") - start).isEqualTo(LogLayout.REQUEST_ID);
            assertThat(at(log, record + "body") - start).isEqualTo(LogLayout.BODY);
            assertThat(end - start).isEqualTo(log.bytes(record).length);
            assertThat(crc(bytes(log), start + LogLayout.CHECKED_FROM, end))
                    .isEqualTo((int) log.number(record + "crc"));
        }
    }

    @Test
    void snapshotIsAsStated() {
        GoldenVector snapshot = GoldenVector.load("log/snapshot.txt");
        assertThat(at(snapshot, "header.magic")).isEqualTo(SnapshotLayout.MAGIC_OFFSET);
        assertThat(at(snapshot, "header.version")).isEqualTo(SnapshotLayout.VERSION_OFFSET);
        assertThat(at(snapshot, "header.cluster")).isEqualTo(SnapshotLayout.CLUSTER_OFFSET);
        assertThat(at(snapshot, "header.sequence")).isEqualTo(SnapshotLayout.SEQUENCE_OFFSET);
        assertThat(at(snapshot, "header.crc")).isEqualTo(SnapshotLayout.HEADER_CRC_OFFSET);
        assertThat(at(snapshot, "chunk.length")).isEqualTo(SnapshotLayout.HEADER_SIZE);
        assertThat(snapshot.number("header.magic")).isEqualTo(SnapshotLayout.MAGIC);
        assertThat(snapshot.number("header.version")).isEqualTo(SnapshotLayout.VERSION);
        assertThat(crc(bytes(snapshot), 0, SnapshotLayout.HEADER_CRC_OFFSET))
                .isEqualTo((int) snapshot.number("header.crc"));

        int chunk = at(snapshot, "chunk.length");
        int footer = at(snapshot, "footer.zero");
        assertThat(at(snapshot, "chunk.crc") - chunk).isEqualTo(SnapshotLayout.CRC);
        assertThat(at(snapshot, "chunk.number") - chunk).isEqualTo(SnapshotLayout.CHUNK_NUMBER);
        assertThat(at(snapshot, "chunk.record1.length") - chunk)
                .isEqualTo(SnapshotLayout.CHUNK_BODY);
        assertThat(snapshot.number("chunk.length")).isEqualTo(footer - chunk);
        assertThat(crc(bytes(snapshot), chunk + SnapshotLayout.CHECKED_FROM, footer))
                .isEqualTo((int) snapshot.number("chunk.crc"));
    }

    @Test
    void snapshotRecordsAndFooterAreAsStated() {
        GoldenVector snapshot = GoldenVector.load("log/snapshot.txt");
        int record = at(snapshot, "chunk.record2.length");
        assertThat(at(snapshot, "chunk.record2.type") - record)
                .isEqualTo(SnapshotLayout.RECORD_TYPE);
        assertThat(at(snapshot, "chunk.record2.flags") - record)
                .isEqualTo(SnapshotLayout.RECORD_FLAGS);
        assertThat(at(snapshot, "chunk.record2.body") - record)
                .isEqualTo(SnapshotLayout.RECORD_BODY);
        assertThat(snapshot.number("chunk.record2.length"))
                .isEqualTo(snapshot.bytes("chunk.record2.").length);

        int footer = at(snapshot, "footer.zero");
        assertThat(at(snapshot, "footer.crc") - footer).isEqualTo(SnapshotLayout.CRC);
        assertThat(at(snapshot, "footer.chunks") - footer).isEqualTo(SnapshotLayout.FOOTER_CHUNKS);
        assertThat(at(snapshot, "footer.records") - footer)
                .isEqualTo(SnapshotLayout.FOOTER_RECORDS);
        assertThat(at(snapshot, "footer.bytes") - footer).isEqualTo(SnapshotLayout.FOOTER_BYTES);
        assertThat(snapshot.bytes("footer.")).hasSize(SnapshotLayout.FOOTER_SIZE);
        assertThat(snapshot.number("footer.bytes")).isEqualTo(footer);
        assertThat(
                        crc(
                                bytes(snapshot),
                                footer + SnapshotLayout.CHECKED_FROM,
                                footer + SnapshotLayout.FOOTER_SIZE))
                .isEqualTo((int) snapshot.number("footer.crc"));
    }
}
