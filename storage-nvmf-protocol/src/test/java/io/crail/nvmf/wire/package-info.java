// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of what both ends of NVMe/TCP share, and how they write bytes down. */
@NullMarked
package io.crail.nvmf.wire;

import org.jspecify.annotations.NullMarked;
