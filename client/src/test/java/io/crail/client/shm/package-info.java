// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of the data path over shared memory, with a server's half made for them. */
@NullMarked
package io.crail.client.shm;

import org.jspecify.annotations.NullMarked;
