// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The storage server's side of its relation with the namenode: it registers, announces segments,
 * sends heartbeats, fetches revocations and reports freed blocks, and does so again after every
 * lost connection. The frame enters with a tier; the data path goes on whatever happens here.
 */
@NullMarked
package io.crail.storage.registration;

import org.jspecify.annotations.NullMarked;
