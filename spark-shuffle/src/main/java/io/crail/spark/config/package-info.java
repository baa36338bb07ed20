// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a Spark application says about crail: from {@code spark.crail.*} in its configuration to
 * checked values.
 *
 * <p>The plug-in enters on the driver, before anything else is set up, and the shuffle manager on
 * every executor; both leave with the same {@link io.crail.spark.config.CrailSettings}.
 */
@NullMarked
package io.crail.spark.config;

import org.jspecify.annotations.NullMarked;
