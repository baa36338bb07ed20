// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail fsck}: whether a cluster is whole. The command tree enters here; the check itself is
 * the client's ({@link io.crail.client.audit.ClusterAudit}), this package shows what it found.
 */
@NullMarked
package io.crail.cli.fsck;

import org.jspecify.annotations.NullMarked;
