// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.protocol.frame.WireReader;
import java.io.IOException;

/** Receives the records of a snapshot, in the order in which they were written. */
@FunctionalInterface
public interface SnapshotVisitor {
    /**
     * One record. {@code body} is valid during the call only.
     *
     * @throws IOException to end the reading, which fails with it
     */
    void record(int type, WireReader body) throws IOException;
}
