// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code crail fs xattr}: small values that files, directories and tables have
 * besides their content.
 *
 * <p>Each class is one command; {@link io.crail.cli.xattr.XattrCommands} names them all. They use
 * the public client API only. Values are text on the command line, or Base64 where they must be.
 */
@NullMarked
package io.crail.cli.xattr;

import org.jspecify.annotations.NullMarked;
