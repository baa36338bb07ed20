// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Suites of Hadoop that every file system has to pass. They run against the embedded cluster, and
 * refuse to run against any other scheme: some of them rename and remove the root directory.
 */
@NullMarked
package io.crail.hadoop.contract;

import org.jspecify.annotations.NullMarked;
