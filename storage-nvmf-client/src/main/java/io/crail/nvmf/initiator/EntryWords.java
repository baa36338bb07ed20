// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import java.nio.ByteBuffer;

/** Adds words to the submission entry of a Read or Write, where the format leaves them unused. */
@FunctionalInterface
public interface EntryWords {
    /** Changes fields of the entry that begins at {@code at}; all others are set. */
    void add(ByteBuffer entry, int at);
}
