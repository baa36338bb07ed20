// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of how records of a fixed size are sorted. */
@NullMarked
package io.crail.spark.sort;

import org.jspecify.annotations.NullMarked;
