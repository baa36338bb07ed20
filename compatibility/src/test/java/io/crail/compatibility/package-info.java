// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The one jar for Hadoop as its users have it: among the libraries of Spark, and of another Hadoop
 * than it was compiled for.
 *
 * <p>Nothing of crail but that jar is on the class path; servers are processes, started by
 * bin/crail. Jobs and programs go in, and what they have left on the cluster is looked at.
 */
@NullMarked
package io.crail.compatibility;

import org.jspecify.annotations.NullMarked;
