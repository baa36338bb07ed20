// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import org.jspecify.annotations.Nullable;

/**
 * Where a node's attributes are read from: an object that many nodes share, or, for the few that
 * have more, {@link Extras} of their own. So what few nodes have costs the others nothing.
 */
abstract sealed class AttributeSource permits AttributePool.Interned, Extras {
    abstract Attributes get();

    abstract AttributePool.Interned shared();

    abstract @Nullable Extras extras();
}
