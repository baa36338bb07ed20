// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** What the target reaches on this machine, beside threads that use the file directly. */
@NullMarked
package io.crail.nvmf.target.measure;

import org.jspecify.annotations.NullMarked;
