// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What a transport implements and what it is lent: data paths to storage servers ({@link
 * io.crail.client.spi.DataPathProvider}) and channels for calls to the namenode ({@link
 * io.crail.client.spi.RpcTransportProvider}), both found with {@link java.util.ServiceLoader}.
 * Authors of transports enter here. Requests pass from the client to the transport without a thread
 * of the transport's own; whoever polls the client's {@link io.crail.client.spi.IoContext} carries
 * completions back. {@link io.crail.client.spi.PendingExchanges} is for whoever keeps exchanges
 * until they are answered.
 */
@NullMarked
package io.crail.client.spi;

import org.jspecify.annotations.NullMarked;
