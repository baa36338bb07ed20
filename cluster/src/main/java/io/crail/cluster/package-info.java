// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * A whole crail in one JVM: a namenode and storage servers, the same code as in production.
 *
 * <p>Tests and people who try crail out enter here; servers in production are processes of their
 * own. The embedded servers listen on ephemeral ports and are reached by the ordinary client, so
 * that nothing takes a short cut past the protocol. Closing the cluster ends its servers and
 * removes their files.
 */
@NullMarked
package io.crail.cluster;

import org.jspecify.annotations.NullMarked;
