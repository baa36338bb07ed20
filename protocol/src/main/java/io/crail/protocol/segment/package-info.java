// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The layout of segment files in shared memory, which the storage server writes and same-host
 * clients (Java and C++) map. Specified in docs/protocol.md, "Segment files"; golden files pin it.
 */
@NullMarked
package io.crail.protocol.segment;

import org.jspecify.annotations.NullMarked;
