// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What the documentation shows, compiled and run. A snippet stands between {@code // snippet: NAME}
 * and {@code // end}; a test checks that the code blocks of the guides are these snippets, letter
 * by letter. Guides enter here when they show code.
 */
@NullMarked
package io.crail.system.docs;

import org.jspecify.annotations.NullMarked;
