// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * TCP: the transport that is always there, for calls to the namenode (over a Unix socket where it
 * is on this host) and for the data path to storage servers. Nothing but ServiceLoader enters here.
 * Transfers become frames of {@link io.crail.client.stream}, payload straight from and into the
 * buffer of the transfer.
 */
@NullMarked
package io.crail.client.tcp;

import org.jspecify.annotations.NullMarked;
