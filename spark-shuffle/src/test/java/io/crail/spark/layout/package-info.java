// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of the layout of map outputs: golden bytes, round trips, damage. */
@NullMarked
package io.crail.spark.layout;

import org.jspecify.annotations.NullMarked;
