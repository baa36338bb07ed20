// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

/**
 * What a STREAM holds.
 *
 * @param first offset of the first record that is still there; {@code next} if there is none
 * @param next offset of the next record to be appended
 * @param bytes bytes kept, 8 per record included
 */
public record StreamInfo(long first, long next, long bytes) {
    /** Records that are still there. */
    public long records() {
        return next - first;
    }
}
