// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code bin/crail hadoop}: Hadoop's own commands on crail, from Maven's jars, without an
 * installation.
 *
 * <p>Arguments and the environment enter; a configuration of Hadoop whose default file system is
 * the cluster of crail's configuration goes to the command, and its status leaves.
 */
@NullMarked
package io.crail.hadoop.command;

import org.jspecify.annotations.NullMarked;
