// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * A real HDFS on loopback, for benchmarks to compare crail with: a namenode and a datanode, each in
 * a process of its own, with a class path of its own.
 *
 * <p>A benchmark starts {@link io.crail.bench.hdfs.HdfsPeerMain}. A line with the address comes out
 * when the server serves; it and its files go when standard input ends.
 */
@NullMarked
package io.crail.bench.hdfs;

import org.jspecify.annotations.NullMarked;
