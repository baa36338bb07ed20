// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code crail secret}: the file that says who may enter.
 *
 * <p>Each class is one command; {@link io.crail.cli.secret.SecretCommands} names them all. A secret
 * goes into a file and is printed nowhere; a token derived from it may be.
 */
@NullMarked
package io.crail.cli.secret;

import org.jspecify.annotations.NullMarked;
