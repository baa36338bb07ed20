// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Logs of servers as JSON, one object a line.
 *
 * <p>Text is written by slf4j-simple; it knows no other form, so this is a small provider for slf4j
 * of our own, chosen by name when a server is started with {@code log.format = json}. Events come
 * in through slf4j with their MDC and key-value pairs; lines leave on standard error.
 */
@NullMarked
package io.crail.cli.log;

import org.jspecify.annotations.NullMarked;
