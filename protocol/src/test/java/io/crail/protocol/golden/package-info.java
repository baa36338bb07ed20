// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The golden vectors: reads the files below {@code src/test/resources/golden}, which state the wire
 * in text that no code of crail made. Tests enter with a file's name and leave with its bytes and
 * with the named values in them. The format is described in the README beside the files.
 */
@NullMarked
package io.crail.protocol.golden;

import org.jspecify.annotations.NullMarked;
