// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of how records of basic types become bytes. */
@NullMarked
package io.crail.spark.basic;

import org.jspecify.annotations.NullMarked;
