// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.protocol.frame.WireWriter;

/** Where the records of a snapshot go. */
public interface SnapshotSink {
    /** Starts a record of a kind; its fields are appended to the writer. */
    WireWriter begin(int kind);

    void end();

    /** Forgets the record that was begun. */
    void abandon();
}
