// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * How records of a STREAM are framed in its extents, and its limits. Appenders put frames, the
 * namenode checks those that travel inline, readers take them apart. Stateless; no I/O.
 */
@NullMarked
package io.crail.protocol.stream;

import org.jspecify.annotations.NullMarked;
