// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.log.DiscoveryEntry;
import io.crail.nvmf.wire.log.DiscoveryHeader;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the discovery log page, in pieces. If its generation has changed at the end, entries of two
 * generations may be mixed, so it is read again (NVMe Base 2.0, section 5.16.1.23).
 */
final class Discovery {
    private static final int ENTRIES_PER_READ = 4;
    private static final int MAX_ENTRIES = 4096;
    private static final int MAX_ATTEMPTS = 5;

    private final Association association;
    private final NvmeAddress address;
    private final ByteBuffer piece =
            ByteBuffer.allocateDirect(ENTRIES_PER_READ * DiscoveryEntry.SIZE);

    /** A reader of the page of a controller that is set up. */
    Discovery(Association association, NvmeAddress address) {
        this.association = association;
        this.address = address;
    }

    List<DiscoveredSubsystem> read() throws NvmeException, InterruptedIOException {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            readPiece(0, DiscoveryHeader.SIZE);
            long generation = DiscoveryHeader.generation(piece, 0);
            long records = DiscoveryHeader.records(piece, 0);
            if (records < 0 || records > MAX_ENTRIES) {
                throw new NvmeConnectException(
                        address
                                + " lists "
                                + records
                                + " subsystems; at most "
                                + MAX_ENTRIES
                                + " are read");
            }
            List<DiscoveredSubsystem> entries = readEntries((int) records);
            readPiece(0, DiscoveryHeader.SIZE);
            if (DiscoveryHeader.generation(piece, 0) == generation) {
                return entries;
            }
        }
        throw new NvmeConnectException(
                "the discovery log page of "
                        + address
                        + " changed during each of "
                        + MAX_ATTEMPTS
                        + " reads");
    }

    private List<DiscoveredSubsystem> readEntries(int records)
            throws NvmeException, InterruptedIOException {
        List<DiscoveredSubsystem> entries = new ArrayList<>();
        while (entries.size() < records) {
            int count = Math.min(ENTRIES_PER_READ, records - entries.size());
            readPiece(DiscoveryHeader.entryOffset(entries.size()), count * DiscoveryEntry.SIZE);
            for (int i = 0; i < count; i++) {
                entries.add(DiscoveredSubsystem.of(piece, i * DiscoveryEntry.SIZE));
            }
        }
        return entries;
    }

    private void readPiece(long offset, int length) throws NvmeException, InterruptedIOException {
        association.adminNow(
                "Get Log Page Discovery",
                DataDirection.CONTROLLER_TO_HOST,
                piece.clear().limit(length),
                (buffer, at, id) ->
                        LogPageCommand.encode(
                                buffer,
                                at,
                                id,
                                0,
                                LogPageCommand.DISCOVERY,
                                length,
                                offset,
                                false));
    }
}
