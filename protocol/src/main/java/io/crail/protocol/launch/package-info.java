// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * How a server is started by somebody who does not link its code: the seam between the command line
 * and the modules of the servers.
 *
 * <p>A module with a server registers a {@link io.crail.protocol.launch.ServerLauncher} for {@link
 * java.util.ServiceLoader}; the command asks for one by the server's role. A configuration goes in,
 * a running server comes out. A target of NVMe over Fabrics that belongs to no cluster has no
 * configuration: its {@link io.crail.protocol.launch.TargetLauncher} gets a request. What targets
 * serve, {@link io.crail.protocol.launch.SubsystemDiscovery} finds out.
 */
@NullMarked
package io.crail.protocol.launch;

import org.jspecify.annotations.NullMarked;
