// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What Hadoop is told about a node: attributes, places, contents, and what identifies it.
 *
 * <p>Values enter as the client's answers and leave as Hadoop's; nothing here calls the client but
 * the locations of listed files, which are asked for when somebody looks at them, and the file of a
 * handle.
 */
@NullMarked
package io.crail.hadoop.status;

import org.jspecify.annotations.NullMarked;
