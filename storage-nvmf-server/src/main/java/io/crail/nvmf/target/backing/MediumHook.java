// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import java.io.IOException;

/**
 * Where faults can be put in: called before each access to a medium, by the thread that makes it.
 * It may wait, as a device that hangs does, or throw, as a broken one does. For tests.
 */
@FunctionalInterface
public interface MediumHook {
    /** Kinds of access. */
    enum Access {
        READ,
        WRITE,
        FLUSH
    }

    /** No faults. */
    MediumHook NONE = (access, position, bytes) -> {};

    void before(Access access, long position, int bytes) throws IOException;
}
