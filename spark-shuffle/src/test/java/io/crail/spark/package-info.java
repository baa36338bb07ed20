// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of the plug-in in Spark, with an embedded cluster of crail. */
@NullMarked
package io.crail.spark;

import org.jspecify.annotations.NullMarked;
