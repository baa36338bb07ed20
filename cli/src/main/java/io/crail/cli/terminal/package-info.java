// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a command shows: streams and what they are connected to, tables, JSON, progress.
 *
 * <p>Every command prints through here; nothing here knows crail's data. Values go in, text comes
 * out on the streams of the {@link io.crail.cli.terminal.Console}, which tests replace by buffers.
 */
@NullMarked
package io.crail.cli.terminal;

import org.jspecify.annotations.NullMarked;
