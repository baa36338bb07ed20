// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

/**
 * What one side knows of a segment as a whole.
 *
 * @param incarnation its incarnation
 * @param bytes bytes of data: on the namenode's side the sum of all its blocks, whatever their
 *     state
 */
record SegmentFacts(int incarnation, long bytes) {
    String describe() {
        return "incarnation " + Integer.toHexString(incarnation) + " of " + bytes + " bytes";
    }
}
