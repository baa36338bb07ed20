// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The check of a whole cluster while it works: {@code crail fsck}.
 *
 * <p>Callers enter through {@link io.crail.client.CrailAdmin}; {@link
 * io.crail.client.audit.ClusterAudit} asks the namenode for pages of blocks and of their holders,
 * and the storage servers for what their memory says of the same blocks, compares them, and looks
 * again at what does not fit, before it is a {@link io.crail.client.audit.Finding}.
 */
@NullMarked
package io.crail.client.audit;

import org.jspecify.annotations.NullMarked;
