// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What only a file has that was joined with others, or cut, while somebody read it. */
final class Sharing {
    /** Where its first bytes lie, if not in extents of its own; only of unlinked files. */
    @Nullable Window window;

    /** Files with a window to this one. Derived from the windows, not in snapshots. */
    final Set<FileNode> borrowers = new LinkedHashSet<>();

    /** The file that it was until that was cut, or 0. */
    long formerId;
}
