// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail config}: shows every key of the configuration with its value and where that comes
 * from. Reads only; the keys themselves are in {@link io.crail.protocol.config}.
 */
@NullMarked
package io.crail.cli.config;

import org.jspecify.annotations.NullMarked;
