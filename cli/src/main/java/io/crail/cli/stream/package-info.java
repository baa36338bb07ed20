// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * {@code crail stream}: making streams, appending to them, reading, following and trimming them.
 * Enter by {@link io.crail.cli.stream.StreamCommands}; records come from files or standard input
 * and go to standard output.
 */
@NullMarked
package io.crail.cli.stream;

import org.jspecify.annotations.NullMarked;
