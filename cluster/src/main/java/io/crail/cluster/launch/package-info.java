// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Starts servers from a configuration: the other side of {@link io.crail.protocol.launch}.
 *
 * <p>The command enters by {@link java.util.ServiceLoader}. Values by key go in, the configuration
 * records of the servers are built from them, a running server comes out.
 */
@NullMarked
package io.crail.cluster.launch;

import org.jspecify.annotations.NullMarked;
