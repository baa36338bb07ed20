// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What every command stands on: global options, configuration, the connected client, errors and
 * exit codes.
 *
 * <p>Commands enter with the {@link io.crail.cli.command.Invocation} they were made with; it opens
 * the client when first asked and closes it at the end. Errors leave as one line on standard error
 * and an {@link io.crail.cli.command.ExitCode}.
 */
@NullMarked
package io.crail.cli.command;

import org.jspecify.annotations.NullMarked;
