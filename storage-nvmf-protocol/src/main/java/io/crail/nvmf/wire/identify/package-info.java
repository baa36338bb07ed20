// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** What Identify returns: controller, namespace, lists, descriptors of identity. */
@NullMarked
package io.crail.nvmf.wire.identify;

import org.jspecify.annotations.NullMarked;
