// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.content;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.io.IOException;

/**
 * Takes files from writers that are gone.
 *
 * @param client asks and takes
 */
public record Recovery(CrailClient client) {
    /** Whether nobody writes a file. */
    public boolean isClosed(String path) throws IOException {
        try {
            NodeStatus status = client.status(path);
            if (status.type() != NodeType.FILE) {
                throw HadoopErrors.notAFile(path);
            }
            return !status.has(NodeStatus.OPEN_FOR_WRITING);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    /**
     * Closes a file whose writer is silent, at its committed length.
     *
     * @return false if its writer lives; ask again when the lease time has passed
     */
    public boolean recover(String path) throws IOException {
        if (isClosed(path)) {
            return true;
        }
        try {
            client.append(path).close();
            return true;
        } catch (CrailException e) {
            if (e.code() == ErrorCode.LEASE_HELD) {
                return false;
            }
            throw HadoopErrors.of(e, path);
        }
    }
}
