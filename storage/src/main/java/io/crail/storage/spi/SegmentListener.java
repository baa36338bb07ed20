// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import io.crail.error.CrailException;

/** Hears of a tier's segments, from the tier's threads. Implementations do not block. */
public interface SegmentListener {
    /** The segment is filled and may be announced. Called once per segment. */
    void ready(TierSegment segment);

    /** All segments up to the capacity are ready. */
    void complete();

    /** The background work ended early; segments announced so far stay in service. */
    void failed(CrailException cause);
}
