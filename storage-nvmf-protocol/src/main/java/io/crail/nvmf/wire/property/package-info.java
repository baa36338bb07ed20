// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Properties of a controller: its registers, which a fabric reads and writes by commands. */
@NullMarked
package io.crail.nvmf.wire.property;

import org.jspecify.annotations.NullMarked;
