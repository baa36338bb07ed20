// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.storage.block.BlockTable;
import io.crail.storage.segment.Segment;
import io.crail.storage.spi.Admission;

/**
 * Decides whether a session may use a reference as it asks to. Nothing in a request is believed
 * before the seal was checked, and its numbers not even then. Immutable and thread-safe.
 *
 * @param session the session that its ticket has proved
 * @param tenant the session's tenant
 */
record AccessCheck(ServiceState state, long session, int tenant) {

    /**
     * The table of the reference's block. The caller still has to acquire the block.
     *
     * @throws AccessDeniedException if the reference was not granted to this session, or without
     *     the right; the connection is then closed
     * @throws CrailException if the reference is of no use here
     */
    BlockTable table(BlockReference reference, int right) throws CrailException {
        Admission admission = state.admission();
        if (admission == null
                || !admission.seal().permits(session, tenant, reference)
                || reference.server() != admission.server()) {
            throw new AccessDeniedException(
                    "reference to " + reference + " is not sealed for session " + session);
        }
        if ((reference.rights() & right) == 0) {
            throw new AccessDeniedException(
                    "reference to "
                            + reference
                            + " does not grant to "
                            + (right == BlockReference.READ ? "read" : "write"));
        }
        BlockTable table = state.blocks.table(reference.segment());
        if (table == null) {
            throw new StaleReferenceException("segment of " + reference + " is not here");
        }
        if (reference.offset() > table.dataBytes() - reference.length()
                || reference.offset() != (long) reference.record() << BlockGeometry.SLOT_SHIFT) {
            throw new ProtocolException(reference + " contradicts its segment");
        }
        return table;
    }

    /**
     * The memory of a block, to read or write it here.
     *
     * @throws InvalidArgumentException if it has none: its tier moves bytes over another transport
     */
    static Segment memory(BlockTable table, BlockReference reference)
            throws InvalidArgumentException {
        if (table.words() instanceof Segment segment) {
            return segment;
        }
        throw new InvalidArgumentException(
                reference
                        + " is no memory of its server, which moves bytes over NVMe over Fabrics"
                        + " only; let the client have crail-storage-nvmf-client on its class path");
    }

    /** Fails unless {@code length} bytes from {@code offset} lie within the block. */
    static void checkRange(BlockReference reference, int offset, int length)
            throws InvalidArgumentException {
        if (length <= 0 || offset < 0 || offset > reference.length() - length) {
            throw new InvalidArgumentException(
                    length + " bytes at offset " + offset + " are not within " + reference);
        }
    }

    /** Number of chunks that a range touches. */
    static int chunks(int offset, int length) {
        int last = (offset + length - 1) / BlockGeometry.CHUNK_SIZE;
        return last - offset / BlockGeometry.CHUNK_SIZE + 1;
    }
}
