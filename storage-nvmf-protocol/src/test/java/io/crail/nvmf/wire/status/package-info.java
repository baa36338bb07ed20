// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of statuses. */
@NullMarked
package io.crail.nvmf.wire.status;

import org.jspecify.annotations.NullMarked;
