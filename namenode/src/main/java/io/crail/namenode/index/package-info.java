// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Finding nodes: by name within a container, and by id. Owned by the engine thread, nothing here is
 * thread-safe. The tree enters with entries that know their own name and its hash; names of
 * requests are looked up where they lie in the network buffer. Nothing here ever stops to rehash or
 * to copy a whole container, however large it grows.
 */
@NullMarked
package io.crail.namenode.index;

import org.jspecify.annotations.NullMarked;
