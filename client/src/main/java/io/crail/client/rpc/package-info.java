// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Calls to the namenode: the session, its ids and acknowledgements, the connection that is made
 * again and again. The rest of the client enters with {@link io.crail.client.rpc.Session#call}; a
 * call passes to the transport as often as it takes, and its answer comes back on the strand of its
 * operation, once.
 */
@NullMarked
package io.crail.client.rpc;

import org.jspecify.annotations.NullMarked;
