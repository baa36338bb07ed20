// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code crail kv}: tables, their keys and values.
 *
 * <p>Each class is one command; {@link io.crail.cli.kv.KvCommands} names them all. Keys are text in
 * UTF-8 or, on request, hexadecimal; values are bytes from an argument, a file or standard input.
 */
@NullMarked
package io.crail.cli.kv;

import org.jspecify.annotations.NullMarked;
