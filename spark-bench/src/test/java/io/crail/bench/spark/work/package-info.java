// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of the applications that are measured. */
@NullMarked
package io.crail.bench.spark.work;

import org.jspecify.annotations.NullMarked;
