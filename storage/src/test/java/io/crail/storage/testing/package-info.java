// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** The two peers of a storage server, played by tests over real sockets: client and namenode. */
@NullMarked
package io.crail.storage.testing;

import org.jspecify.annotations.NullMarked;
