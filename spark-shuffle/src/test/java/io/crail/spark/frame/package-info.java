// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of the frame of map outputs: golden bytes, round trips, damage. */
@NullMarked
package io.crail.spark.frame;

import org.jspecify.annotations.NullMarked;
