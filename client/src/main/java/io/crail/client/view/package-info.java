// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Views: bytes of a node that the application looks at without a copy of its own, and what keeps
 * count of them. Reads enter with the pieces they found, lent or copied; the public API wraps what
 * comes out. Everything that is open is known here, so that it can be limited and closed.
 */
@NullMarked
package io.crail.client.view;

import org.jspecify.annotations.NullMarked;
