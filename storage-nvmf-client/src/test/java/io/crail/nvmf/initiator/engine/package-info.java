// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.crail.nvmf.initiator.engine;

import org.jspecify.annotations.NullMarked;
