// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

/**
 * What a mover has done since it was started. Immutable.
 *
 * @param demotedBytes moved to classes behind that of its server
 * @param promotedBytes moved to classes before it
 * @param movedBlocks blocks, in either direction
 * @param skippedBlocks blocks that were removed, replaced or written to meanwhile
 * @param failedBlocks blocks that could not be read, written or swapped
 * @param failure why the last one of these could not, or why the namenode was not reached; or ""
 */
public record MoverStatistics(
        long demotedBytes,
        long promotedBytes,
        long movedBlocks,
        long skippedBlocks,
        long failedBlocks,
        String failure) {
    static final MoverStatistics NONE = new MoverStatistics(0, 0, 0, 0, 0, "");

    MoverStatistics moved(long bytes, boolean demoted) {
        return new MoverStatistics(
                demotedBytes + (demoted ? bytes : 0),
                promotedBytes + (demoted ? 0 : bytes),
                movedBlocks + 1,
                skippedBlocks,
                failedBlocks,
                failure);
    }

    MoverStatistics skipped() {
        return new MoverStatistics(
                demotedBytes, promotedBytes, movedBlocks, skippedBlocks + 1, failedBlocks, failure);
    }

    MoverStatistics failed(String why) {
        return new MoverStatistics(
                demotedBytes, promotedBytes, movedBlocks, skippedBlocks, failedBlocks + 1, why);
    }

    MoverStatistics without(String why) {
        return new MoverStatistics(
                demotedBytes, promotedBytes, movedBlocks, skippedBlocks, failedBlocks, why);
    }
}
