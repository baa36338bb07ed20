// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The commands that are servers: {@code crail namenode} and {@code crail storage}.
 *
 * <p>They run in the foreground, log to standard error, print one line to standard output when they
 * serve, and end by SIGTERM or SIGINT. The server itself is found by its role, see {@link
 * io.crail.protocol.launch}.
 */
@NullMarked
package io.crail.cli.server;

import org.jspecify.annotations.NullMarked;
