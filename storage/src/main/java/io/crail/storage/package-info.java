// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The storage server: it lends the memory or flash of one machine to the cluster, as segments.
 *
 * <p>Its frame registers segments with the namenode, sends heartbeats and applies revocations; a
 * tier adds the server half of one medium and transport, the DRAM tier being built in. Clients come
 * with references that the namenode granted, and each is checked before a byte moves. Names and
 * files are unknown here: a server sees blocks, generations and keys only.
 */
@NullMarked
package io.crail.storage;

import org.jspecify.annotations.NullMarked;
