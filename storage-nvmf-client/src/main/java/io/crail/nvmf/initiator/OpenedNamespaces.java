// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeNamespaceChangedException;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.identify.NamespaceList;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The namespaces of a controller: which there are, what those were that were opened, and whether
 * they still are it. Thread-safe; each call waits for answers of one life of the controller.
 */
final class OpenedNamespaces {
    private final NvmeAddress address;
    private final Map<Integer, NamespaceInfo> opened = new ConcurrentHashMap<>();

    OpenedNamespaces(NvmeAddress address) {
        this.address = address;
    }

    /** Finds out what a namespace is, and remembers it. */
    NamespaceInfo open(Association association, int id)
            throws NvmeException, InterruptedIOException {
        NamespaceInfo found = identify(association, id);
        NamespaceInfo before = opened.putIfAbsent(id, found);
        if (before != null) {
            compare(before, found);
        }
        return found;
    }

    /**
     * Looks at all that were opened again.
     *
     * @throws NvmeNamespaceChangedException if one is not what it was, or became smaller
     */
    void check(Association association) throws NvmeException, InterruptedIOException {
        for (NamespaceInfo before : opened.values()) {
            compare(before, identify(association, before.id()));
        }
    }

    private void compare(NamespaceInfo before, NamespaceInfo now)
            throws NvmeNamespaceChangedException {
        if (!now.continues(before)) {
            throw new NvmeNamespaceChangedException(
                    "namespace "
                            + before.id()
                            + " of "
                            + address
                            + " was "
                            + before
                            + " and now is "
                            + now);
        }
    }

    /** The ids of the namespaces that are active now, in increasing order. */
    List<Integer> active(Association association) throws NvmeException, InterruptedIOException {
        List<Integer> ids = new ArrayList<>();
        ByteBuffer data = ByteBuffer.allocateDirect(IdentifyCommand.DATA_SIZE);
        int count = NamespaceList.MAX_IDS;
        int last = 0;
        while (count == NamespaceList.MAX_IDS) {
            int above = last;
            association.adminNow(
                    "Identify active namespaces",
                    DataDirection.CONTROLLER_TO_HOST,
                    data,
                    (buffer, at, id) ->
                            IdentifyCommand.encode(
                                    buffer, at, id, above, IdentifyCommand.ACTIVE_NAMESPACES));
            count = NamespaceList.count(data, 0);
            for (int i = 0; i < count; i++) {
                int id = NamespaceList.id(data, 0, i);
                if (Integer.compareUnsigned(id, last) <= 0) {
                    throw new NvmeConnectException(
                            address + " lists namespace " + id + " behind " + last);
                }
                ids.add(id);
                last = id;
            }
        }
        return ids;
    }

    private static NamespaceInfo identify(Association association, int namespaceId)
            throws NvmeException, InterruptedIOException {
        ByteBuffer data = identify(association, namespaceId, IdentifyCommand.NAMESPACE);
        ByteBuffer descriptors =
                identify(association, namespaceId, IdentifyCommand.NAMESPACE_DESCRIPTORS);
        return NamespaceInfo.of(namespaceId, data, descriptors);
    }

    private static ByteBuffer identify(Association association, int namespaceId, int structure)
            throws NvmeException, InterruptedIOException {
        ByteBuffer data = ByteBuffer.allocateDirect(IdentifyCommand.DATA_SIZE);
        association.adminNow(
                "Identify " + structure + " of namespace " + namespaceId,
                DataDirection.CONTROLLER_TO_HOST,
                data,
                (buffer, at, id) -> IdentifyCommand.encode(buffer, at, id, namespaceId, structure));
        return data;
    }
}
