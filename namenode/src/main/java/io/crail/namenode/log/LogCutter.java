// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts files off where a replay ended. A torn tail is thrown away; what lies behind a corruption is
 * kept in files that end in {@code .cut}, for whoever wants to look for the lost records. Durable
 * when it returns, since the next life appends behind the cut.
 */
final class LogCutter {
    private static final Logger LOG = LoggerFactory.getLogger(LogCutter.class);
    private static final int COPY = 1 << 20;

    private final MetadataFiles files;

    LogCutter(MetadataFiles files) {
        this.files = files;
    }

    /** Makes {@code cut} in the files of {@code logs}, which are in ascending order. */
    void cut(LogRecovery.Cut cut, List<FileName> logs) throws IOException {
        boolean keep = cut.corruption();
        boolean behind = false;
        for (FileName log : logs) {
            if (behind || (log.path().equals(cut.file()) && cut.offset() == 0)) {
                remove(log, keep);
                behind = true;
            } else if (log.path().equals(cut.file())) {
                truncate(log, cut.offset(), keep);
                behind = true;
            }
        }
        if (!logs.isEmpty()) {
            files.syncDirectory(logs.get(0).directory());
        }
    }

    /**
     * Cuts off zeros behind records. They harm nobody, so it is no failure if they stay; they take
     * space, and versions that know no zeros take them for a corruption where a later file follows.
     */
    void cutZeros(FileName log, long end) {
        try (MetadataFile file = files.open(log.path())) {
            file.truncate(end);
        } catch (IOException e) {
            LOG.warn("{}: keeps zeros at its end", log.path(), e);
        }
    }

    private void remove(FileName log, boolean keep) throws IOException {
        if (keep) {
            files.rename(log.path(), log.with(FileName.CUT));
        } else {
            files.delete(log.path());
        }
    }

    private void truncate(FileName log, long offset, boolean keep) throws IOException {
        try (MetadataFile file = files.open(log.path())) {
            if (keep) {
                copyTail(file, offset, log);
            }
            file.truncate(offset);
            file.sync();
        }
    }

    private void copyTail(MetadataFile file, long offset, FileName log) throws IOException {
        files.delete(log.with(FileName.CUT));
        try (MetadataFile copy = files.create(log.with(FileName.CUT))) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(COPY);
            long at = offset;
            while (file.read(buffer, at) > 0) {
                buffer.flip();
                int length = buffer.remaining();
                WholeWrites.write(copy, buffer, at - offset);
                at += length;
                buffer.clear();
            }
            copy.sync();
        }
    }
}
