// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

/**
 * Entry of a discovery log page, in words.
 *
 * @param transport {@code tcp}, {@code rdma}, or the number of another one
 * @param kind {@code nvme}, {@code discovery}, or the number of another one
 * @param nqn name of the subsystem
 * @param address where it is
 * @param service port of it, for TCP
 */
public record SubsystemEntry(
        String transport, String kind, String nqn, String address, String service) {}
