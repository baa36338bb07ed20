// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The directory of one storage server: its lock, its identity, the highest namenode epoch it has
 * seen. The frame enters here first, before any tier touches a file.
 */
@NullMarked
package io.crail.storage.directory;

import org.jspecify.annotations.NullMarked;
