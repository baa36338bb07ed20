// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import java.util.BitSet;

/**
 * Slots that no known block starts at, and whose generation the server reports to be higher than
 * the namenode knows: after a loss of log records they may have been granted to somebody who still
 * holds that grant. They are fenced like revoked blocks before their slab is used. Never stored:
 * the next report finds them again.
 */
final class Suspects {
    final BitSet slots = new BitSet(Slab.SLOTS);

    /** Slots below this one have been told to the server. */
    int told;
}
