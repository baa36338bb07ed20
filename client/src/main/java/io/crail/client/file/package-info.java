// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Bytes of nodes: reading ranges through extents, and the writer that turns appended bytes into
 * granted blocks and commits. The public API enters here with open handles; references come from
 * the namenode, bytes pass to and from blocks.
 */
@NullMarked
package io.crail.client.file;

import org.jspecify.annotations.NullMarked;
