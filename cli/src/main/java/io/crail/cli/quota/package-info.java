// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code crail fs quota}: limits of what may lie below directories and tables.
 *
 * <p>Each class is one command; {@link io.crail.cli.quota.QuotaCommands} names them all. They use
 * the public client API only.
 */
@NullMarked
package io.crail.cli.quota;

import org.jspecify.annotations.NullMarked;
