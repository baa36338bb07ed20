// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.session;

import io.crail.namenode.tree.FileNode;
import io.crail.protocol.block.BlockId;
import java.util.LinkedHashMap;
import java.util.Map;

/** An open file of a session, named by the request id that opened it. */
public sealed interface Handle {
    long id();

    FileNode file();

    /** Keeps the blocks of a file alive while it is read, whatever becomes of its name. */
    record Read(long id, FileNode file) implements Handle {}

    /**
     * The right of one writer on one file, with the blocks granted to it and not committed yet.
     *
     * @param created whether the open created the file, so that an abandoned empty one may go
     */
    record Lease(long id, FileNode file, boolean created, Map<BlockId, GrantedBlock> grants)
            implements Handle {
        public Lease(long id, FileNode file, boolean created) {
            this(id, file, created, new LinkedHashMap<>());
        }
    }
}
