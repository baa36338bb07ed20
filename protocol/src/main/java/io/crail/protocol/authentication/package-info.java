// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Who may enter: the proof, by both ends of a connection, that they know one shared secret.
 *
 * <p>Every program enters with an {@link io.crail.protocol.authentication.AuthenticationConfig} and
 * leaves with {@link io.crail.protocol.authentication.Credentials}; whoever calls makes a {@link
 * io.crail.protocol.authentication.CallerProof} for each connection, a server asks its {@link
 * io.crail.protocol.authentication.Gatekeeper}. The scheme is in docs/adr/0005-authentication.md.
 */
@NullMarked
package io.crail.protocol.authentication;

import org.jspecify.annotations.NullMarked;
