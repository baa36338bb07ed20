// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of what is sent and received on one connection. */
@NullMarked
package io.crail.nvmf.initiator.queue;

import org.jspecify.annotations.NullMarked;
