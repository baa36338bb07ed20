// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

/** One Read or Write. Thread-safe. */
public interface FabricCommand {
    /** Posts it. Called once; never blocks. */
    void start();

    /**
     * Cuts it off from its buffer: when this returns, nothing reads from it or writes to it any
     * more. The command goes on with memory of its own, if need be, and its end is told as ever.
     */
    void detach();
}
