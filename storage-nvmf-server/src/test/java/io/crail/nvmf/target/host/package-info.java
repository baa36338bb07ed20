// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** A host for tests that says exactly what it is told to, PDU by PDU, over a real socket. */
@NullMarked
package io.crail.nvmf.target.host;

import org.jspecify.annotations.NullMarked;
