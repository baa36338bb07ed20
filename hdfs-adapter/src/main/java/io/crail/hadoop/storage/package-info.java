// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Storage policies: names, as Hadoop uses them, for crail's storage classes.
 *
 * <p>A policy enters as a name, or leaves as one; the store knows the number of the class only.
 */
@NullMarked
package io.crail.hadoop.storage;

import org.jspecify.annotations.NullMarked;
