// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * NVMe/TCP: connections, their PDUs, and the threads that serve them. Event loops own connections
 * and move bytes between sockets and data buffers; workers carry out what may wait for a medium and
 * hand it back. The target enters through TcpTransport.
 */
@NullMarked
package io.crail.nvmf.target.tcp;

import org.jspecify.annotations.NullMarked;
