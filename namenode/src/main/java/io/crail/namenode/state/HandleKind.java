// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

/** Codes of handles in snapshots. */
final class HandleKind {
    static final int READING = 0;
    static final int APPENDING = 1;

    /** A lease whose open created the file. */
    static final int CREATING = 2;

    private HandleKind() {}
}
