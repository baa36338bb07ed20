// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.error.ProtocolException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.message.Attach;
import io.crail.protocol.segment.SegmentHeader;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The segments that this process has mapped, one mapping per file for all its clients, because
 * address space and page tables are the process's. Users are counted; after the last one the
 * mapping is forgotten here and goes with the last buffer that refers to it.
 *
 * <p>This is the only static state of the client. Files are told apart by their content, not by
 * their name, so that a file that took the place of another one is never taken for it.
 *
 * <p>Thread-safe; {@link #acquire} may block and must not be interrupted.
 */
final class SegmentMappings {
    private record Key(Path directory, int segment, int incarnation, UUID cookie) {}

    private static final class Shared {
        private final MappedSegment segment;
        private int users;

        Shared(MappedSegment segment) {
            this.segment = segment;
        }
    }

    private static final Map<Key, Shared> SHARED = new HashMap<>();

    private SegmentMappings() {}

    /**
     * Maps the file of a segment, or finds its mapping.
     *
     * @param attached the server's answer: where the file is, and which server it must name
     * @throws StaleReferenceException if there is no such segment any more
     * @throws IOException if the file cannot be mapped, or is not the server's
     */
    static MappedSegment acquire(UUID cluster, Attach.Reply attached, int segment)
            throws IOException {
        Path directory = Path.of(attached.directory());
        Path file = directory.resolve(SegmentLayout.fileName(segment));
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            SegmentHeader header = header(file, channel);
            if (!header.cluster().equals(cluster)
                    || !header.server().equals(attached.server())
                    || header.segment() != segment) {
                throw new ProtocolException(
                        file
                                + " is segment "
                                + header.segment()
                                + " of server "
                                + header.server()
                                + " of cluster "
                                + header.cluster()
                                + ", which is not what was asked for");
            }
            return share(directory, header, channel);
        } catch (NoSuchFileException e) {
            throw new StaleReferenceException("segment " + segment + " is gone: no " + file, e);
        }
    }

    private static SegmentHeader header(Path file, FileChannel channel) throws IOException {
        ByteBuffer page =
                ByteBuffer.allocate(SegmentLayout.CHECKED_TO).order(ByteOrder.LITTLE_ENDIAN);
        while (page.hasRemaining() && channel.read(page, page.position()) > 0) {
            // One read is enough but for a signal.
        }
        if (page.hasRemaining() || !SegmentHeader.isComplete(page)) {
            throw new StaleReferenceException(file + " is not a complete segment");
        }
        return SegmentHeader.decode(page, file, channel.size());
    }

    private static MappedSegment share(Path directory, SegmentHeader header, FileChannel channel)
            throws IOException {
        synchronized (SHARED) {
            Key key = key(directory, header);
            Shared shared = SHARED.get(key);
            if (shared == null) {
                ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
                shared = new Shared(new MappedSegment(header, directory, mapped));
                SHARED.put(key, shared);
            }
            shared.users++;
            return shared.segment;
        }
    }

    private static Key key(Path directory, SegmentHeader header) {
        return new Key(directory, header.segment(), header.incarnation(), header.cookie());
    }

    /** Gives a mapping up; a buffer of it that is still in use stays valid. */
    static void release(MappedSegment segment) {
        synchronized (SHARED) {
            Key key = key(segment.directory(), segment.header());
            Shared shared = SHARED.get(key);
            if (shared != null && --shared.users == 0) {
                SHARED.remove(key);
            }
        }
    }

    /** Number of segments mapped now. */
    static int count() {
        synchronized (SHARED) {
            return SHARED.size();
        }
    }
}
