// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code crail fs}: files and directories, with the names and flags that users of
 * {@code hdfs dfs} and of coreutils expect.
 *
 * <p>Each class is one command; {@link io.crail.cli.fs.FsCommands} names them all. They use the
 * public client API only. Uploads and downloads write to a temporary name beside the target and
 * rename.
 */
@NullMarked
package io.crail.cli.fs;

import org.jspecify.annotations.NullMarked;
