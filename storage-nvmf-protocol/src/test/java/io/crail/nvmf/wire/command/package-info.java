// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of commands and what they carry. */
@NullMarked
package io.crail.nvmf.wire.command;

import org.jspecify.annotations.NullMarked;
