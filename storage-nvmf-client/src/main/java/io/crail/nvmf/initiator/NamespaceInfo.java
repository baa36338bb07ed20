// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.wire.command.SharedMemoryCommand;
import io.crail.nvmf.wire.identify.NamespaceData;
import io.crail.nvmf.wire.identify.NamespaceDescriptor;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What a controller said about a namespace.
 *
 * @param id NSID
 * @param blocks number of logical blocks
 * @param blockShift size of a logical block as a power of two: 9 to 12
 * @param uuid all zeros if it has none
 * @param guid NGUID, all zeros if it has none
 * @param eui64 0 if it has none
 * @param reservations RESCAP
 * @param readsZeros whether deallocated blocks read as zeros
 * @param writeProtected whether it refuses writes now
 */
public record NamespaceInfo(
        int id,
        long blocks,
        int blockShift,
        UUID uuid,
        UUID guid,
        long eui64,
        int reservations,
        boolean readsZeros,
        boolean writeProtected) {
    private static final int MIN_SHIFT = 9;
    private static final int MAX_SHIFT = 12;
    private static final UUID NONE = new UUID(0, 0);

    /** Size of a logical block in bytes. */
    public int blockSize() {
        return 1 << blockShift;
    }

    /** Whether data from that block on may lie in memory that is shared with the controller. */
    boolean mayShareMemory(long firstBlock) {
        return ((firstBlock << blockShift) & SharedMemoryCommand.ALIGNMENT - 1) == 0;
    }

    /** Whether this is the namespace that the other was, at least as large. */
    boolean continues(NamespaceInfo other) {
        return id == other.id
                && blockShift == other.blockShift
                && blocks >= other.blocks
                && uuid.equals(other.uuid)
                && guid.equals(other.guid)
                && eui64 == other.eui64;
    }

    static NamespaceInfo of(int id, ByteBuffer data, ByteBuffer descriptors)
            throws NvmeUnsupportedException {
        long blocks = NamespaceData.size(data, 0);
        if (blocks <= 0) {
            throw new NvmeUnsupportedException("namespace " + id + " is not active");
        }
        int format = NamespaceData.formatIndex(data, 0);
        int shift = NamespaceData.blockShift(data, 0, format);
        int metadata = NamespaceData.metadataSize(data, 0, format);
        if (metadata != 0 || (NamespaceData.protection(data, 0) & 7) != 0) {
            throw new NvmeUnsupportedException(
                    "namespace "
                            + id
                            + " has "
                            + metadata
                            + " bytes of metadata per block; format it without");
        }
        if (shift < MIN_SHIFT || shift > MAX_SHIFT) {
            throw new NvmeUnsupportedException(
                    "namespace "
                            + id
                            + " has blocks of 2^"
                            + shift
                            + " bytes; 512 to 4096 can be used");
        }
        return new NamespaceInfo(
                id,
                blocks,
                shift,
                uuidOf(descriptors),
                NamespaceData.guid(data, 0),
                NamespaceData.eui64(data, 0),
                NamespaceData.reservationCapabilities(data, 0),
                (NamespaceData.deallocation(data, 0) & 7) == 1,
                (NamespaceData.attributes(data, 0) & 1) != 0);
    }

    private static UUID uuidOf(ByteBuffer list) {
        int end = NamespaceDescriptor.LIST_SIZE - 20;
        for (int at = 0;
                at <= end && NamespaceDescriptor.length(list, at) != 0;
                at = NamespaceDescriptor.next(list, at)) {
            if (NamespaceDescriptor.type(list, at) == NamespaceDescriptor.TYPE_UUID) {
                return NamespaceDescriptor.uuid(list, at);
            }
        }
        return NONE;
    }
}
