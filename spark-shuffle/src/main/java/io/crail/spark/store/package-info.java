// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What an application has in crail, seen from one JVM: its directory and how long that lives, its
 * map outputs, and the client, the buffers and the serialisers that all tasks share.
 *
 * <p>The driver begins an {@link io.crail.spark.store.ApplicationStore}; executors find it by the
 * directory that the driver made. Writers enter to create a map output, readers to open one, the
 * driver to remove shuffles; everybody gives back what he was lent.
 */
@NullMarked
package io.crail.spark.store;

import org.jspecify.annotations.NullMarked;
