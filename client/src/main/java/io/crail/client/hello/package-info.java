// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * How a connection begins, to whatever server and over whatever transport: the hello, with proofs
 * in both directions where there is a secret.
 *
 * <p>Those who open connections enter with a channel that stands and leave when it may be used or
 * is refused. Everything runs on the polling thread.
 */
@NullMarked
package io.crail.client.hello;

import org.jspecify.annotations.NullMarked;
