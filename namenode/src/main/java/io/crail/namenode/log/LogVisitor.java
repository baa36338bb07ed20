// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.protocol.frame.WireReader;
import java.io.IOException;

/** Receives the records of a replay, in the order of their sequences. */
@FunctionalInterface
public interface LogVisitor {
    /**
     * One intact record. {@code body} is valid during the call only.
     *
     * @throws IOException to end the replay, which fails with it
     */
    void record(long sequence, int type, long session, long requestId, WireReader body)
            throws IOException;
}
