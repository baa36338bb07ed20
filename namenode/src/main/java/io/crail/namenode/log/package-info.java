// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The metadata directory: log, snapshots, identity, and the lock that keeps a second namenode out.
 *
 * <p>Enter through {@link io.crail.namenode.log.MetadataDirectory}: it recovers (newest intact
 * snapshot, then the log behind it), then hands out the one {@link
 * io.crail.namenode.log.LogWriter}, and {@link io.crail.namenode.log.SnapshotWriter}s. Records pass
 * through as a type and opaque bytes; what they mean is known to the engine only. The pages that a
 * busy log is stored into are made ahead by {@link io.crail.namenode.log.LogAhead}; what a damaged
 * log may lose is a {@link io.crail.namenode.log.LogLoss}.
 */
@NullMarked
package io.crail.namenode.log;

import org.jspecify.annotations.NullMarked;
