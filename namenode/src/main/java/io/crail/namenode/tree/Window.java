// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

/**
 * The first bytes of an unlinked file that lie in extents of another one, which owns them: see
 * {@link Splicing}. The last extent is seen as it was: its owner may have cut it, or grown it.
 *
 * @param lender who owns the extents, or has a window to who does
 * @param base where the bytes begin in the lender
 * @param length how many there are, at least one
 * @param tailLength bytes of the last extent
 * @param tailCrc its tail checksum
 */
public record Window(FileNode lender, long base, long length, int tailLength, int tailCrc) {
    public Window {
        if (length < tailLength || tailLength < 1 || base < 0) {
            throw new IllegalArgumentException(
                    "a window of " + length + " bytes from " + base + ", at its end " + tailLength);
        }
    }

    /** Where the last extent begins in the lender. */
    long tailOffset() {
        return base + length - tailLength;
    }

    /** The same bytes, which lie in another file now. */
    Window in(FileNode newLender, long newBase) {
        return new Window(newLender, newBase, length, tailLength, tailCrc);
    }
}
