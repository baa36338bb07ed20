// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Configuration: typed keys, where their values come from, and what is wrong with a bad one.
 *
 * <p>Commands, servers and tests enter by {@link io.crail.protocol.config.ConfigurationLoader},
 * which reads file, environment and command line, and get an immutable {@link
 * io.crail.protocol.config.Configuration}. {@link io.crail.protocol.config.CrailKeys} lists every
 * key there is; the reference in the documentation is generated from it. Nothing here knows the
 * configuration records of servers and client: those who build them read the values by key.
 */
@NullMarked
package io.crail.protocol.config;

import org.jspecify.annotations.NullMarked;
