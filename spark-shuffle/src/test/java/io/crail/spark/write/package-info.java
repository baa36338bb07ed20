// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of how map outputs are written. */
@NullMarked
package io.crail.spark.write;

import org.jspecify.annotations.NullMarked;
