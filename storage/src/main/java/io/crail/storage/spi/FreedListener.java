// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

/** Hears that nobody can touch a block under its old generation any more. */
@FunctionalInterface
public interface FreedListener {
    /**
     * The block may be granted again. Must not block.
     *
     * @param generation its new generation; counter {@link
     *     io.crail.protocol.block.Generation#MAX_COUNTER} means retired
     */
    void freed(long generation);

    /**
     * A process on this host still holds the block, and {@link #freed} follows when it does not any
     * more. Called at most once, or never. Must not block.
     */
    default void held() {}
}
