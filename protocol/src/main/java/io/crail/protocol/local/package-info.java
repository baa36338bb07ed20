// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * How programs of one user on one host find each other: by files that only this user can have.
 *
 * <p>A server enters with the directory of its Unix socket and tells callers of it in its hello; a
 * caller looks with {@link io.crail.protocol.local.LocalEndpoint#find} whether the directory is
 * there, is its own, and is that server's. Data passes over the socket that it finds.
 */
@NullMarked
package io.crail.protocol.local;

import org.jspecify.annotations.NullMarked;
