// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** Tests of PDUs. */
@NullMarked
package io.crail.nvmf.wire.pdu;

import org.jspecify.annotations.NullMarked;
