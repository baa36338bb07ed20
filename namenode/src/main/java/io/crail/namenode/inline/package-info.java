// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Memory outside the heap for small values that the namenode itself keeps (inline values). Owned by
 * the engine thread, which enters through {@link io.crail.namenode.inline.InlineMemory} with the
 * bytes of a request and keeps the handle in its node; answers copy from a view. The memory has a
 * limit of its own, so that values can never starve the metadata.
 */
@NullMarked
package io.crail.namenode.inline;

import org.jspecify.annotations.NullMarked;
