// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.CorruptDataException;
import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replays the log, and decides what its end is.
 *
 * <p>A crash may leave the last write half done: bytes that are no record, with no record behind
 * them. That is a <em>torn tail</em>; nothing in it was acknowledged, and it is cut off. Bytes that
 * are no record with an intact record somewhere behind them are a <em>corruption</em>: acknowledged
 * changes would be lost by going on, so the replay refuses unless it may give them up ({@link
 * LogLoss}). To tell the two apart the rest of the log is searched at every byte offset, since the
 * length of a broken record cannot be believed. A record that is intact but not the next one (a
 * gap, a repetition) and a file of another cluster are corruptions in any case. A file, whether it
 * is the last one or not, may end in zeros that were prepared for records and never used.
 *
 * <p>The replay itself changes no file; {@link LogCutter} does.
 */
final class LogReader {
    private final MetadataFiles files;
    private final UUID cluster;
    private final List<FileName> logs;

    /**
     * Where the readable log ends before the files do.
     *
     * @param index file in the list
     * @param offset offset in that file; 0 means the file is no part of the log at all
     * @param reason what is wrong there
     * @param certain whether it is a corruption even if no intact record follows
     */
    private record Damage(int index, long offset, String reason, boolean certain) {}

    /** Files that go on behind their records, with zeros, and where the records end. */
    private final Map<FileName, Long> zeroEnds = new LinkedHashMap<>();

    private long expected;
    private long records;

    /** {@code files} are the log files in ascending order. */
    LogReader(MetadataFiles files, UUID cluster, List<FileName> logs) {
        this.files = files;
        this.cluster = cluster;
        this.logs = logs;
    }

    /**
     * Hands every record from sequence {@code from} on to {@code visitor}.
     *
     * @param accepted asked at a corruption, behind the records before it: whether to end there
     *     instead of refusing
     * @return what was found; a cut in it is still to be made
     * @throws CorruptDataException if the log is corrupt
     */
    LogRecovery replay(long from, Supplier<LogLoss> accepted, LogVisitor visitor)
            throws IOException {
        int first = firstFile(from);
        if (first == logs.size()) {
            return new LogRecovery(from, 0, null);
        }
        expected = Math.min(from, logs.get(first).sequence());
        records = 0;
        LogRecovery.Cut cut = null;
        for (int i = first; i < logs.size() && cut == null; i++) {
            Damage damage = replayFile(i, from, visitor);
            if (damage != null) {
                cut = judge(damage, accepted);
            }
        }
        return new LogRecovery(Math.max(from, expected), records, cut);
    }

    /** Where the records of files end that the replay found to end in zeros. */
    Map<FileName, Long> zeroEnds() {
        return zeroEnds;
    }

    /** The file that record {@code from} would be in; the first file if it is before all. */
    private int firstFile(long from) {
        int first = 0;
        for (int i = 0; i < logs.size(); i++) {
            if (logs.get(i).sequence() <= from) {
                first = i;
            }
        }
        return first;
    }

    private @Nullable Damage replayFile(int index, long from, LogVisitor visitor)
            throws IOException {
        FileName log = logs.get(index);
        try (MetadataFile file = files.open(log.path())) {
            return switch (FileHeader.LOG.read(file, cluster, log.sequence())) {
                case BROKEN -> new Damage(index, 0, "broken file header", false);
                case FOREIGN -> new Damage(index, 0, "it belongs to another cluster", true);
                case MISNAMED -> new Damage(index, 0, "it was renamed", true);
                case GOOD ->
                        log.sequence() == expected
                                ? replayRecords(index, new LogFileReader(file), from, visitor)
                                : new Damage(
                                        index,
                                        0,
                                        gap(expected, log.sequence()),
                                        expected < log.sequence());
            };
        }
    }

    private @Nullable Damage replayRecords(
            int index, LogFileReader reader, long from, LogVisitor visitor) throws IOException {
        LogFileReader.Found found = reader.next();
        for (; found == LogFileReader.Found.RECORD; found = reader.next()) {
            long sequence = reader.sequence();
            if (sequence != expected) {
                return new Damage(index, reader.recordOffset(), gap(expected, sequence), true);
            }
            expected++;
            if (sequence >= from) {
                records++;
                visitor.record(
                        sequence,
                        reader.type(),
                        reader.session(),
                        reader.requestId(),
                        reader.body());
            }
        }
        if (found == LogFileReader.Found.BROKEN) {
            return new Damage(index, reader.recordOffset(), "broken record", false);
        }
        if (reader.recordOffset() < reader.size()) {
            zeroEnds.put(logs.get(index), reader.recordOffset());
        }
        return null;
    }

    private static String gap(long expected, long found) {
        return "record " + expected + " should follow, but it is record " + found;
    }

    private LogRecovery.Cut judge(Damage damage, Supplier<LogLoss> accepted) throws IOException {
        long intact = 0;
        long bytes = 0;
        for (int i = damage.index(); i < logs.size(); i++) {
            try (LogFileReader reader = new LogFileReader(files.open(logs.get(i).path()))) {
                long start = i == damage.index() ? damage.offset() : 0;
                bytes += reader.size() - start;
                intact += countIntact(reader, start);
            }
        }
        FileName log = logs.get(damage.index());
        boolean corrupt = damage.certain() || intact > 0;
        if (corrupt && !accepted.get().covers(isInLastFile(damage), damage.certain())) {
            throw refusal(log, damage, intact);
        }
        return new LogRecovery.Cut(
                log.path(), damage.offset(), bytes, intact, corrupt, damage.reason());
    }

    /**
     * Behind its first record: a life begins a file with the epoch and the boot that it belongs to,
     * and without that record nobody knows whether the host has crashed since.
     */
    private boolean isInLastFile(Damage damage) {
        return damage.index() == logs.size() - 1 && damage.offset() > LogLayout.HEADER_SIZE;
    }

    private long countIntact(LogFileReader reader, long start) throws IOException {
        long count = 0;
        long at = reader.find(start, expected);
        while (at >= 0) {
            while (reader.next() == LogFileReader.Found.RECORD) {
                count++;
            }
            at = reader.find(reader.recordOffset(), expected);
        }
        return count;
    }

    private static CorruptDataException refusal(FileName log, Damage damage, long intact) {
        return new CorruptDataException(
                log.path()
                        + " is corrupt at offset "
                        + damage.offset()
                        + ": "
                        + damage.reason()
                        + "; "
                        + intact
                        + " intact records follow and would be lost by going on. Restore the file,"
                        + " or start once with --cut-log-at-corruption to lose them");
    }
}
