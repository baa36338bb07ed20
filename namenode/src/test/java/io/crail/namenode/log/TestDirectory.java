// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

/** Opens metadata directories for tests, all of one cluster. */
final class TestDirectory {
    static final UUID CLUSTER = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

    private TestDirectory() {}

    static MetadataDirectory open(Path path, MetadataFiles files) throws IOException {
        return MetadataDirectory.open(path, files, () -> CLUSTER);
    }

    static MetadataDirectory open(Path path) throws IOException {
        return open(path, MetadataFiles.ofSystem());
    }

    /** A writer behind everything that is in the log. */
    static LogWriter writer(MetadataDirectory directory, Durability durability) throws IOException {
        LogRecovery recovery =
                directory.recoverLog(
                        LogLayout.FIRST_SEQUENCE,
                        () -> LogLoss.NONE,
                        TestRecord.into(new ArrayList<>()));
        return directory.openLog(recovery, durability, DurabilityListener.none());
    }

    /**
     * Makes a directory with the records 1..n, of which each number in {@code rolls} ends a file.
     */
    static void write(Path path, long n, long... rolls) throws IOException {
        try (MetadataDirectory directory = open(path);
                LogWriter writer = writer(directory, Durability.PROCESS)) {
            long next = 1;
            for (long roll : rolls) {
                TestRecord.append(writer, next, roll);
                writer.roll();
                next = roll + 1;
            }
            TestRecord.append(writer, next, n);
            writer.flush();
        }
    }

    static List<TestRecord> read(Path path, long from, boolean cut) throws IOException {
        List<TestRecord> records = new ArrayList<>();
        try (MetadataDirectory directory = open(path)) {
            directory.recoverLog(
                    from, () -> cut ? LogLoss.ANY : LogLoss.NONE, TestRecord.into(records));
        }
        return records;
    }

    static Path log(Path directory, long sequence) {
        return FileName.of(directory, FileName.LOG, sequence).path();
    }

    static Path snapshot(Path directory, long sequence) {
        return FileName.of(directory, FileName.SNAPSHOT, sequence).path();
    }

    /** Names of all files but identity and lock. */
    static Set<String> names(Path directory) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> entries = Files.list(directory)) {
            entries.map(FileName::nameOf).forEach(names::add);
        }
        names.remove("identity");
        names.remove("lock");
        return names;
    }
}
