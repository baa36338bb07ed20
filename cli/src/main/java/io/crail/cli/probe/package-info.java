// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Looks at servers from outside, as somebody without a session does.
 *
 * <p>Commands for operators enter with an address and their patience; an answer, or none, comes out
 * within it. Nothing here changes anything, and nothing is believed that a stranger could say.
 */
@NullMarked
package io.crail.cli.probe;

import org.jspecify.annotations.NullMarked;
