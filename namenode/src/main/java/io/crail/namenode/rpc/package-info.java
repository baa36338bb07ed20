// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The namenode's server: takes frames from connections, hands them to the engine, sends answers.
 *
 * <p>Enter through {@link io.crail.namenode.rpc.RpcServer}, with a {@link
 * io.crail.namenode.rpc.RequestHandler} that is the engine. One thread owns the selector, every
 * connection and the calls into the engine, so a request is handled in the receive buffer and
 * answered in the send buffer without hand-off, lock or object. What a request means is not known
 * here; only frame headers are read.
 */
@NullMarked
package io.crail.namenode.rpc;

import org.jspecify.annotations.NullMarked;
