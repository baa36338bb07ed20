// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.CorruptDataException;
import io.crail.protocol.log.LogLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory that holds all of a namenode's durable state:
 *
 * <pre>
 * lock                              held by the namenode that runs; its process id
 * identity                          format version and cluster id
 * log-00000000000000000001          records from that sequence on
 * snapshot-00000000000000004711     the state after that record
 * </pre>
 *
 * <p>Recovery is: {@link #newestSnapshot}, read it, {@link #recoverLog} from the sequence behind
 * it, {@link #openLog}. To take a snapshot: {@link LogWriter#roll}, then {@link #beginSnapshot} at
 * {@link LogWriter#position}, and {@link #purge} after it completed. The newest two snapshots are
 * kept, and the log from the older one on, so that one damaged snapshot costs nothing.
 *
 * <p>Used by one thread at a time, but for {@link #purge}, which may run beside the log writer.
 */
public final class MetadataDirectory implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(MetadataDirectory.class);
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rwx------");
    private static final int KEPT_SNAPSHOTS = 2;
    private static final long ABORT_MILLIS = 10_000;

    private final Path path;
    private final MetadataFiles files;
    private final DirectoryLock lock;
    private final Identity identity;
    private final boolean created;
    private @Nullable SnapshotWriter snapshot;

    private MetadataDirectory(
            Path path,
            MetadataFiles files,
            DirectoryLock lock,
            Identity identity,
            boolean created) {
        this.path = path;
        this.files = files;
        this.lock = lock;
        this.identity = identity;
        this.created = created;
    }

    /**
     * Opens the directory for the one namenode that may use it, creating it if it is missing or
     * empty, and removes what a crash left unfinished.
     *
     * @param newCluster gives the cluster id of a new directory
     * @throws io.crail.error.AccessDeniedException if another namenode uses it
     * @throws io.crail.error.VersionMismatchException if a newer version wrote it
     * @throws CorruptDataException if it has a log but no identity
     */
    public static MetadataDirectory open(Path path, MetadataFiles files, Supplier<UUID> newCluster)
            throws IOException {
        if (!Files.isDirectory(path)) {
            Files.createDirectories(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } else if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(path))) {
            LOG.warn("metadata directory {} is open to other users; use mode 0700", path);
        }
        DirectoryLock lock = DirectoryLock.acquire(path);
        try {
            for (Path entry : files.list(path)) {
                if (FileName.nameOf(entry).endsWith(FileName.UNFINISHED)) {
                    LOG.info("removing {}, left over by a crash", entry);
                    files.delete(entry);
                }
            }
            Path identityPath = path.resolve(Identity.FILE);
            boolean created = !files.exists(identityPath);
            Identity identity =
                    created ? create(path, files, newCluster.get()) : Identity.read(identityPath);
            return new MetadataDirectory(path, files, lock, identity, created);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    public Path path() {
        return path;
    }

    public UUID cluster() {
        return identity.cluster();
    }

    /** Whether this call of open made a new, empty cluster. */
    public boolean isNew() {
        return created;
    }

    /**
     * Makes durable, whatever the durability level, the epoch of a new life: at least {@code
     * atLeast}, and above every epoch reserved before, even if the log has lost its end.
     */
    public long reserveEpoch(long atLeast) throws IOException {
        return EpochFile.reserve(files, path, atLeast);
    }

    /** Log files, ascending. */
    public List<FileName> logs() throws IOException {
        return list(FileName.LOG);
    }

    /** Snapshots, ascending. */
    public List<FileName> snapshots() throws IOException {
        return list(FileName.SNAPSHOT);
    }

    /**
     * The newest snapshot that is intact from the first to the last byte. Newer damaged ones are
     * set aside (renamed, not deleted) and reported.
     */
    public Optional<SnapshotReader> newestSnapshot() throws IOException {
        List<FileName> snapshots = snapshots();
        for (int i = snapshots.size() - 1; i >= 0; i--) {
            FileName name = snapshots.get(i);
            SnapshotReader reader = new SnapshotReader(files, name, identity.cluster());
            try {
                reader.verify();
                return Optional.of(reader);
            } catch (CorruptDataException e) {
                LOG.error("{}; falling back to the one before and the log", e.getMessage());
                files.rename(name.path(), name.with(FileName.DAMAGED));
                files.syncDirectory(path);
            }
        }
        return Optional.empty();
    }

    /**
     * Replays the log from a sequence on, then cuts off unused space at its end, a torn tail, or,
     * where that is accepted, everything from a corruption on.
     *
     * @param from the first sequence wanted: one more than that of the snapshot, or {@link
     *     LogLayout#FIRST_SEQUENCE}
     * @param accepted what may be given up; asked at a corruption, behind the records before it
     * @throws CorruptDataException if the log is corrupt and that is not accepted, naming file,
     *     offset and the option
     */
    public LogRecovery recoverLog(long from, Supplier<LogLoss> accepted, LogVisitor visitor)
            throws IOException {
        List<FileName> logs = logs();
        LogReader reader = new LogReader(files, identity.cluster(), logs);
        LogRecovery recovery = reader.replay(from, accepted, visitor);
        LogCutter cutter = new LogCutter(files);
        reader.zeroEnds().forEach(cutter::cutZeros);
        LogRecovery.Cut cut = recovery.cut();
        if (cut != null) {
            LOG.warn(
                    "log {} ends at offset {} ({}): {} bytes cut off, {} intact records lost",
                    cut.file(),
                    cut.offset(),
                    cut.reason(),
                    cut.bytes(),
                    cut.lostRecords());
            cutter.cut(cut, logs);
        }
        return recovery;
    }

    /**
     * Replays the log as {@link #recoverLog} does, but changes no file: for a namenode that goes on
     * read-only after its log failed, and for tools. A cut in the result was not made.
     */
    public LogRecovery replayLog(long from, LogVisitor visitor) throws IOException {
        return new LogReader(files, identity.cluster(), logs())
                .replay(from, () -> LogLoss.NONE, visitor);
    }

    /**
     * Starts writing behind what {@link #recoverLog} found, in a new file: no file is written by
     * two lives. Close the writer before this directory.
     */
    public LogWriter openLog(
            LogRecovery recovery, Durability durability, DurabilityListener listener)
            throws IOException {
        long next = recovery.nextSequence();
        for (FileName log : logs()) {
            if (log.sequence() >= next) {
                removeEmpty(log);
            }
        }
        return new LogWriter(files, path, identity.cluster(), next, durability, listener);
    }

    /**
     * Starts a snapshot of the state after record {@code sequence}. One is written at a time.
     *
     * @param listener called by the writing thread when it is complete, or has failed
     */
    public SnapshotWriter beginSnapshot(long sequence, SnapshotListener listener) {
        if (snapshot != null && !snapshot.hasEnded()) {
            throw new IllegalStateException("a snapshot is being written already");
        }
        FileName name = FileName.of(path, FileName.SNAPSHOT, sequence);
        SnapshotWriter writer = new SnapshotWriter(files, name, identity.cluster(), listener);
        snapshot = writer;
        return writer;
    }

    /**
     * Deletes what nothing needs any more: snapshots but the newest two, log files whose records
     * are all covered by the older one of these, and damaged snapshots older than it. With fewer
     * than two snapshots nothing is deleted. Deleting a large file takes a while: better called by
     * the thread that completed the snapshot than by the engine.
     */
    public void purge() throws IOException {
        List<FileName> snapshots = snapshots();
        if (snapshots.size() < KEPT_SNAPSHOTS) {
            return;
        }
        long keptFrom = snapshots.get(snapshots.size() - KEPT_SNAPSHOTS).sequence();
        List<Path> obsolete = new ArrayList<>();
        for (FileName snapshot : snapshots) {
            if (snapshot.sequence() < keptFrom) {
                obsolete.add(snapshot.path());
            }
        }
        List<FileName> logs = logs();
        for (int i = 0; i + 1 < logs.size(); i++) {
            if (logs.get(i + 1).sequence() <= keptFrom + 1) {
                obsolete.add(logs.get(i).path());
            }
        }
        for (Path each : obsolete) {
            files.delete(each);
        }
        files.syncDirectory(path);
        LOG.debug("removed {} files covered by snapshot {}", obsolete.size(), keptFrom);
    }

    /** Gives up a snapshot that is being written, waiting for its thread, and releases the lock. */
    @Override
    public void close() throws IOException {
        try {
            if (snapshot != null) {
                snapshot.abort();
                if (!snapshot.awaitEnd(ABORT_MILLIS)) {
                    LOG.warn("a snapshot in {} does not end", path);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.close();
        }
    }

    private static Identity create(Path path, MetadataFiles files, UUID cluster)
            throws IOException {
        for (Path entry : files.list(path)) {
            if (FileName.matches(entry, FileName.LOG)
                    || FileName.matches(entry, FileName.SNAPSHOT)) {
                throw new CorruptDataException(
                        path
                                + " has "
                                + entry.getFileName()
                                + " but no file named identity; restore it, or name another"
                                + " directory");
            }
        }
        Identity identity = new Identity(Identity.FORMAT, cluster);
        identity.write(files, path);
        LOG.info("new cluster {} in {}", cluster, path);
        return identity;
    }

    private void removeEmpty(FileName log) throws IOException {
        try (LogFileReader reader = new LogFileReader(files.open(log.path()))) {
            if (reader.next() != LogFileReader.Found.END) {
                throw new IllegalStateException(
                        log.path() + " has records that were not replayed before writing");
            }
        }
        files.delete(log.path());
    }

    private List<FileName> list(String prefix) throws IOException {
        List<FileName> names = new ArrayList<>();
        for (Path entry : files.list(path)) {
            if (FileName.matches(entry, prefix)) {
                names.add(FileName.parse(entry, prefix));
            }
        }
        names.sort(null);
        return names;
    }
}
