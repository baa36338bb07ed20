// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * All that the namenode remembers, and every way in which it may change: one {@link
 * io.crail.namenode.state.Mutation} per kind of log record. The engine makes mutations from valid
 * requests, applies and logs them; recovery reads them from the log and applies them with the same
 * code. Snapshots are written and read here.
 */
@NullMarked
package io.crail.namenode.state;

import org.jspecify.annotations.NullMarked;
