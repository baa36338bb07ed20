// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * A target that plays PDUs on real sockets: a small, well-behaved one whose every step a test may
 * replace.
 */
@NullMarked
package io.crail.nvmf.initiator.fake;

import org.jspecify.annotations.NullMarked;
