// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of how map outputs are read. */
@NullMarked
package io.crail.spark.read;

import org.jspecify.annotations.NullMarked;
