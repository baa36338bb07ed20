// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a file system has done: how often each of Hadoop's operations was called, how often in vain,
 * how long it took, and what its streams have moved.
 *
 * <p>The file system enters with each call, streams when they are closed; whoever asks a file
 * system for its IOStatistics or StorageStatistics leaves with the numbers, under Hadoop's names.
 */
@NullMarked
package io.crail.hadoop.statistics;

import org.jspecify.annotations.NullMarked;
