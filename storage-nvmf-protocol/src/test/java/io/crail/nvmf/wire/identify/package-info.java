// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of what Identify and Get Log Page return. */
@NullMarked
package io.crail.nvmf.wire.identify;

import org.jspecify.annotations.NullMarked;
