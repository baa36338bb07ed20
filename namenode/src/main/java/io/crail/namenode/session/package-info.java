// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Sessions and what they hold: handles, leases, granted blocks, results not yet acknowledged. Only
 * the engine thread enters. Whether a session may do something is decided in {@code engine}; its
 * changes come from the mutations of {@code state}.
 */
@NullMarked
package io.crail.namenode.session;

import org.jspecify.annotations.NullMarked;
