// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.session;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.segment.SessionLayout;
import io.crail.storage.block.Pins;
import io.crail.storage.directory.PrivateDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes on this host that map the segments of one server.
 *
 * <p>Thread-safe: the set of files changes under the lock of this object, and scans read a snapshot
 * of it. A file is in the snapshot before its client is told that it may pin, and leaves it only
 * when its owner detached or is provably gone; so no pin that counts is ever missed.
 *
 * <p>A closed connection ends nothing: it only makes {@link #sweep} ask for the lock, which is the
 * proof. Attaching the same file again, after the connection or the server broke, finds it here.
 */
public final class Sessions implements Pins {
    /** Files one server looks after; one more is refused. */
    public static final int MAX_FILES = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

    private static final class Known {
        final SessionFile file;
        int connections;

        Known(SessionFile file) {
            this.file = file;
        }
    }

    private final Path directory;
    private final Map<String, Known> known = new HashMap<>();
    private final StrayFiles strays;
    private volatile List<SessionFile> files = List.of();

    private Sessions(Path directory, Clock clock) {
        this.directory = directory;
        this.strays = new StrayFiles(directory, clock);
    }

    /**
     * Opens the directory below that of the server, and the files that an earlier run of the server
     * left: their pins count at once. What is no session file, and what nobody holds, is removed.
     */
    public static Sessions open(Path serverDirectory) throws CrailException {
        return open(serverDirectory, Clock.systemUTC());
    }

    /** As {@link #open(Path)}, with a clock to compare the times of files with. */
    static Sessions open(Path serverDirectory, Clock clock) throws CrailException {
        Path directory = serverDirectory.resolve(SessionLayout.DIRECTORY);
        PrivateDirectory.make(directory);
        Sessions sessions = new Sessions(directory, clock);
        sessions.restore();
        return sessions;
    }

    private synchronized void restore() throws CrailException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            for (Path path : stream) {
                restore(path);
            }
        } catch (IOException e) {
            throw new InternalException("cannot list the session files in " + directory, e);
        }
        publish();
        if (!known.isEmpty()) {
            LOG.info("{} processes on this host still map segments", known.size());
        }
    }

    private void restore(Path path) throws IOException {
        String name = String.valueOf(path.getFileName());
        SessionFile file;
        try {
            file = SessionFile.open(path);
        } catch (CrailException e) {
            // Never attached: a client pins nothing before its complete file was accepted.
            LOG.info("Removing {}: {}", path, e.getMessage());
            Files.deleteIfExists(path);
            return;
        }
        if (file.isAbandoned()) {
            file.remove();
        } else {
            known.put(name, new Known(file));
        }
    }

    /**
     * Takes a client's file into account; when this returns, the client may pin.
     *
     * @param name name of the file, from a peer that is not trusted
     * @param session session of the connection
     * @param cluster the cluster served
     * @throws CrailException if the file cannot be what the client says
     */
    public synchronized void attach(String name, long session, UUID cluster) throws CrailException {
        if (!SessionLayout.isFileName(name)) {
            throw new InvalidArgumentException("'" + name + "' is no name of a session file");
        }
        Known there = known.get(name);
        if (there == null) {
            if (known.size() >= MAX_FILES) {
                throw new BusyException(
                        "there are " + MAX_FILES + " sessions with mapped segments already");
            }
            there = new Known(openLocked(name));
            if (there.file.session() != session || !there.file.cluster().equals(cluster)) {
                there.file.release();
                throw new InvalidArgumentException(
                        "session file " + name + " is not of session " + session);
            }
            known.put(name, there);
            publish();
        } else if (there.file.session() != session) {
            throw new InvalidArgumentException(
                    "session file " + name + " is not of session " + session);
        }
        there.connections++;
    }

    private SessionFile openLocked(String name) throws CrailException {
        SessionFile file = SessionFile.open(directory.resolve(name));
        if (file.isAbandoned()) {
            file.release();
            throw new InvalidArgumentException("session file " + name + " is not locked");
        }
        return file;
    }

    /** The owner says that it holds nothing: its pins are void, the file goes. */
    public synchronized void detach(String name) throws CrailException {
        Known there = known.remove(name);
        if (there != null) {
            publish();
            there.file.remove();
        }
    }

    /** A connection that attached the file is closed. */
    public synchronized void disconnected(String name) {
        Known there = known.get(name);
        if (there != null) {
            there.connections--;
        }
    }

    /**
     * Drops the files of processes that are gone; true if there were any that held pins. Now and
     * then also files that their processes never attached.
     */
    public synchronized boolean sweep() {
        strays.sweep(known::containsKey);
        boolean dropped = false;
        for (Iterator<Map.Entry<String, Known>> i = known.entrySet().iterator(); i.hasNext(); ) {
            Known next = i.next().getValue();
            try {
                if (next.connections <= 0 && next.file.isAbandoned()) {
                    LOG.debug("The process of {} is gone", next.file);
                    i.remove();
                    next.file.remove();
                    dropped = true;
                }
            } catch (CrailException e) {
                LOG.warn("{}", e.getMessage());
            }
        }
        if (dropped) {
            publish();
        }
        return dropped;
    }

    @Override
    public boolean isPinned(int segment, int slot, long generation) {
        for (SessionFile file : files) {
            if (file.isPinned(segment, slot, generation)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<Pin> all(int segment) {
        List<Pin> pins = new ArrayList<>();
        files.forEach(file -> file.addPins(segment, pins));
        return pins;
    }

    /** A page of what is pinned, for a check; the position comes from a peer and may be any. */
    public AuditSegment.Reply audit(AuditSegment.Position position) {
        return PinAudit.page(files, position);
    }

    /** Number of sessions with a file. */
    public int sessions() {
        return files.size();
    }

    /** Number of pins of all sessions. */
    public int pinned() {
        return files.stream().mapToInt(SessionFile::pinned).sum();
    }

    /** Lets go of all files; they stay in force for the server's next run. */
    public synchronized void close() {
        sweep();
        for (Known each : known.values()) {
            try {
                each.file.release();
            } catch (CrailException e) {
                LOG.warn("{}", e.getMessage());
            }
        }
        known.clear();
    }

    private void publish() {
        files = known.values().stream().map(each -> each.file).toList();
    }
}
