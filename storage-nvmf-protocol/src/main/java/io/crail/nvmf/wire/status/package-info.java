// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * How commands end: the status field of a completion and its codes. Everybody who sees a completion
 * enters here.
 */
@NullMarked
package io.crail.nvmf.wire.status;

import org.jspecify.annotations.NullMarked;
