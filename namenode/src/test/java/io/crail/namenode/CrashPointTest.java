// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.engine.Recovery;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.log.MetadataFiles;
import io.crail.namenode.state.State;
import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that ends anywhere gives the state as of its last whole record. */
final class CrashPointTest {
    private static final int OPERATIONS = 200;

    @TempDir private Path temporary;

    @Test
    void aLogCutAtAnyByteGivesTheStateBeforeTheCut() throws IOException {
        Path directory = Files.createTempDirectory(temporary, "whole");
        Map<Long, TestNamenode.Memory> memories = new HashMap<>();
        try (LocalNamenode namenode = LocalNamenode.start(directory)) {
            RandomLife life = new RandomLife(namenode, 4711);
            life.setSnapshots(false);
            for (int i = 0; i < OPERATIONS; i++) {
                memories.put(namenode.logPosition(), namenode.memory());
                life.step();
            }
        }
        byte[] log = Files.readAllBytes(logFile(directory));
        Path cut = Files.createTempDirectory(temporary, "cut");
        Files.copy(directory.resolve("identity"), cut.resolve("identity"));
        try (MetadataDirectory metadata =
                MetadataDirectory.open(cut, MetadataFiles.ofSystem(), () -> new UUID(7, 7))) {
            int compared = 0;
            for (int end = LogLayout.HEADER_SIZE; end <= log.length; end++) {
                Files.write(logFile(cut), Arrays.copyOf(log, end));
                long last = lastWholeRecord(log, end);
                State state = recover(metadata, end);
                state.blocks().checkConservation();
                TestNamenode.Memory expected = memories.get(last);
                if (expected != null) {
                    TestNamenode.compare(
                            StateDump.of(state, expected.acknowledged()).lines(), expected.lines());
                    compared++;
                }
            }
            assertThat(compared).isGreaterThan(log.length / 2);
        }
    }

    private static Path logFile(Path directory) {
        return directory.resolve("log-%020d".formatted(LogLayout.FIRST_SEQUENCE));
    }

    private static long lastWholeRecord(byte[] log, int end) {
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        long last = 0;
        int at = LogLayout.HEADER_SIZE;
        while (at + LogLayout.BODY <= end && at + buffer.getInt(at) <= end) {
            last = buffer.getLong(at + LogLayout.SEQUENCE);
            at += buffer.getInt(at);
        }
        return last;
    }

    /** Some times as a start does, which cuts the file; mostly without a trace, and a warning. */
    private static State recover(MetadataDirectory metadata, int end) throws IOException {
        Recovery recovery = new Recovery(metadata, new SecureRandom(), 64 << 20);
        return end % 499 == 0 ? recovery.recover(false).state() : recovery.reread();
    }
}
