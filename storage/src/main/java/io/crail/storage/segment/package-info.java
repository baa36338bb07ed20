// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Segment files: made, filled, mapped once and attached again after a restart, exactly as {@link
 * io.crail.protocol.segment.SegmentLayout} says. A tier that lends memory enters here with a
 * directory and gets segments: views of data, generation words and checksums. Who may touch them
 * when is decided in the package block.
 */
@NullMarked
package io.crail.storage.segment;

import org.jspecify.annotations.NullMarked;
