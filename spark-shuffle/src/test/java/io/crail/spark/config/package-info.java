// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/** Tests of the settings of an application. */
@NullMarked
package io.crail.spark.config;

import org.jspecify.annotations.NullMarked;
