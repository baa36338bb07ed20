// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of what broadcasts are made of. */
@NullMarked
package io.crail.spark.broadcast;

import org.jspecify.annotations.NullMarked;
