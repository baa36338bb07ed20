// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Which cluster, as whom, and with which settings: from a URI and a configuration of Hadoop to a
 * connected client.
 *
 * <p>File systems enter with both and leave with a lease on a client, which they give back when
 * they are closed. Clients of equal settings are one; it is closed with the last lease.
 */
@NullMarked
package io.crail.hadoop.config;

import org.jspecify.annotations.NullMarked;
