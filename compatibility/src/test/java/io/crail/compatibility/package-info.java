// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The jars for Hadoop and for Spark as their users have them: among the libraries of Spark, and of
 * another Hadoop than they were compiled for.
 *
 * <p>Nothing of crail but the jar for Hadoop is on the class path, and that for Spark is handed to
 * spark-submit; servers are processes, started by bin/crail. Jobs and programs go in, and what they
 * have left on the cluster is looked at.
 */
@NullMarked
package io.crail.compatibility;

import org.jspecify.annotations.NullMarked;
