// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import java.net.InetSocketAddress;

/**
 * How the transport works and what it bears.
 *
 * @param bind address to listen on, port 0 for any
 * @param eventLoops threads that serve connections
 * @param workers threads that wait for media
 * @param maxConnections connections at a time; one more is closed at once
 * @param headerDigests whether header digests are used if the host asks for them
 * @param dataDigests the same for data digests
 * @param maxDataPduBytes MAXH2CDATA: most data in one PDU of a host
 * @param inCapsuleBytes most data in a command capsule of an I/O queue
 * @param dataMemoryBytes memory for data of commands under way
 * @param handshakeMillis from accept until the queue is connected
 * @param stallMillis how long a peer may owe bytes, or not take any, without moving a single one
 * @param connectWaitMillis how long Connect waits for what the host left at the medium
 * @param inline whether a command that is alone, and not the ring's, may be carried out by the
 *     event loop itself
 * @param ring whether reads go by io_uring where that is possible, and options of sockets are set
 *     by it
 */
public record TransportSettings(
        InetSocketAddress bind,
        int eventLoops,
        int workers,
        int maxConnections,
        boolean headerDigests,
        boolean dataDigests,
        int maxDataPduBytes,
        int inCapsuleBytes,
        long dataMemoryBytes,
        long handshakeMillis,
        long stallMillis,
        long connectWaitMillis,
        boolean inline,
        boolean ring) {}
