// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of what is done with the bytes of one block, without servers. */
@NullMarked
package io.crail.client.data;

import org.jspecify.annotations.NullMarked;
