// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * NVMe over Fabrics against somebody else's: the kernel's target and initiator, in a virtual
 * machine ({@code system-tests/vm}). A test boots a {@link io.crail.system.vm.VirtualMachine}, runs
 * commands in it and waits for what they print; bytes go through a port of the machine that is
 * forwarded to this host, or from the machine to what listens on this host's loopback. Tagged
 * {@code nvmf}; one machine runs at a time.
 */
@NullMarked
package io.crail.system.vm;

import org.jspecify.annotations.NullMarked;
