// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.engine.Recovery;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.log.MetadataFiles;
import io.crail.namenode.state.RecordCodes;
import io.crail.namenode.state.State;
import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log that ends anywhere gives the state as of its last whole record: a log of two lives and some
 * two hundred operations, in which no type of record is missing.
 */
final class CrashPointTest {
    private static final int OPERATIONS = 200;

    /** Of bytes that are all alike to a reader a log is cut at one in so many. */
    private static final int EVERY = Integer.getInteger("crail.crash.every", 1);

    /** Each byte counts that is so close to the beginning of a record, of its body, or its end. */
    private static final int CLOSE = 4;

    @TempDir private Path temporary;

    @Test
    @Timeout(600)
    void aLogCutAtAnyByteGivesTheStateBeforeTheCut() throws IOException {
        Path directory = Files.createTempDirectory(temporary, "whole");
        Map<Long, TestNamenode.Memory> memories = new HashMap<>();
        RecordTour tour = new RecordTour();
        try (LocalNamenode namenode = LocalNamenode.start(directory)) {
            RandomLife life = new RandomLife(namenode, 4711);
            life.setSnapshots(false);
            for (int i = 0; i < OPERATIONS; i++) {
                remember(memories, namenode);
                life.step();
            }
            take(tour.firstLife(namenode), memories, namenode);
        }
        Duration later = Duration.ofMinutes(11);
        try (LocalNamenode namenode = LocalNamenode.startAfterReboot(directory, later)) {
            take(tour.secondLife(namenode), memories, namenode);
        }
        cutEverywhere(logFiles(directory), memories, Files.createTempDirectory(temporary, "cut"));
    }

    /** Each file is cut with all that were written before it, and nothing behind. */
    private static void cutEverywhere(
            List<Path> logs, Map<Long, TestNamenode.Memory> memories, Path cut) throws IOException {
        Files.copy(logs.get(0).resolveSibling("identity"), cut.resolve("identity"));
        Set<String> types = new TreeSet<>();
        long last = 0;
        int cuts = 0;
        int compared = 0;
        try (MetadataDirectory metadata =
                MetadataDirectory.open(cut, MetadataFiles.ofSystem(), () -> new UUID(7, 7))) {
            for (Path file : logs) {
                byte[] log = Files.readAllBytes(file);
                types.addAll(types(log));
                Path target = cut.resolve(file.getFileName());
                BitSet ends = ends(log);
                cuts += ends.cardinality();
                for (int end = ends.nextSetBit(0); end >= 0; end = ends.nextSetBit(end + 1)) {
                    growTo(target, log, end);
                    State state = recover(metadata, end);
                    state.blocks().checkConservation();
                    TestNamenode.Memory expected =
                            memories.get(Math.max(last, lastWholeRecord(log, end)));
                    if (expected != null) {
                        List<String> lines = StateDump.of(state, expected.acknowledged()).lines();
                        TestNamenode.compare(lines, expected.lines());
                        compared++;
                    }
                }
                growTo(target, log, log.length);
                last = Math.max(last, lastWholeRecord(log, log.length));
            }
        }
        assertThat(compared).isGreaterThan(cuts / 2);
        assertThat(types).containsAll(RecordCodes.all().values());
    }

    /** Where to cut. */
    private static BitSet ends(byte[] log) {
        BitSet ends = new BitSet();
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = LogLayout.HEADER_SIZE; at < log.length; at += buffer.getInt(at)) {
            int next = at + buffer.getInt(at);
            for (int end = at; end <= next; end++) {
                if (end % EVERY == 0
                        || end <= at + CLOSE
                        || Math.abs(end - at - LogLayout.BODY) <= CLOSE
                        || end >= next - CLOSE) {
                    ends.set(end);
                }
            }
        }
        return ends;
    }

    /**
     * Adds what is missing, mostly a byte: making the file anew each time takes ten times as long.
     */
    private static void growTo(Path file, byte[] log, int end) throws IOException {
        int size = Files.exists(file) ? (int) Files.size(file) : 0;
        Files.write(
                file,
                Arrays.copyOfRange(log, size, end),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static List<Path> logFiles(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(f -> String.valueOf(f.getFileName()).startsWith("log-"))
                    .sorted()
                    .toList();
        }
    }

    private static void take(
            List<RecordTour.Step> steps,
            Map<Long, TestNamenode.Memory> memories,
            LocalNamenode namenode)
            throws IOException {
        for (RecordTour.Step step : steps) {
            remember(memories, namenode);
            step.run();
        }
        remember(memories, namenode);
    }

    private static void remember(Map<Long, TestNamenode.Memory> memories, LocalNamenode namenode) {
        memories.put(namenode.logPosition(), namenode.memory());
    }

    /** Names of the types of all records. */
    private static Set<String> types(byte[] log) {
        Map<Integer, String> names = RecordCodes.all();
        Set<String> types = new TreeSet<>();
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = LogLayout.HEADER_SIZE; at < log.length; at += buffer.getInt(at)) {
            int code = buffer.getShort(at + LogLayout.TYPE);
            types.add(names.getOrDefault(code, "unknown type " + code));
        }
        return types;
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
        return end % 499 == 0 ? recovery.recover(false, "boot").state() : recovery.reread();
    }
}
