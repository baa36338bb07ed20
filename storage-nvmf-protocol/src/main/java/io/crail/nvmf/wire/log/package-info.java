// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** What Get Log Page returns. */
@NullMarked
package io.crail.nvmf.wire.log;

import org.jspecify.annotations.NullMarked;
