// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of what the tasks of an executor share. */
@NullMarked
package io.crail.spark.store;

import org.jspecify.annotations.NullMarked;
