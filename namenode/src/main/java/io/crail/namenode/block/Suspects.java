// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import java.util.BitSet;

/**
 * Slots that no known block starts at, and that may have been granted in log records that were
 * lost, to somebody who still holds that grant: because the server reports a higher generation than
 * the namenode knows, or because records may have been lost at all ({@link Segment#fenced}). They
 * are fenced like revoked blocks before their slab is used. Never stored: the next report finds
 * them again.
 */
final class Suspects {
    final BitSet slots = new BitSet(Slab.SLOTS);

    /** Slots below this one have been told to the server. */
    int told;
}
