// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

/**
 * Counters of a tier.
 *
 * @param connections open client connections
 * @param inFlight requests that hold a block now
 * @param bytesRead since opening
 * @param bytesWritten since opening
 */
public record TierStatistics(long connections, long inFlight, long bytesRead, long bytesWritten) {}
