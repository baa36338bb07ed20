// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of the initiator against a fake target. */
@NullMarked
package io.crail.nvmf.initiator;

import org.jspecify.annotations.NullMarked;
