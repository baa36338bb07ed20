// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The {@code crail} command: starts servers, shows and changes the name space, checks a cluster.
 *
 * <p>Operators enter by {@code bin/crail}, which sets the flags of the JVM; nobody depends on this
 * package. {@link io.crail.cli.Main} builds the part of the command tree that the arguments name.
 * Each command parses its arguments, calls the public client API, and prints the result for a
 * person or for a script. Servers are started by launching a process or found with {@link
 * java.util.ServiceLoader}, so that their code is not linked here.
 */
@NullMarked
package io.crail.cli;

import org.jspecify.annotations.NullMarked;
