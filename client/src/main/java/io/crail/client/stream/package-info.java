// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Frames over stream sockets of any family: the connection itself, its outgoing and its incoming
 * half, and the lane of a data path that says hello and connects again. Transports enter with a
 * {@link io.crail.client.stream.Dialer}, which knows where to connect to. Frames go out from the
 * thread that posts them as far as the socket takes them, and come in on the polling thread.
 */
@NullMarked
package io.crail.client.stream;

import org.jspecify.annotations.NullMarked;
