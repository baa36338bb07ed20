// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a check has found.
 *
 * @param servers storage servers whose blocks were compared
 * @param blocks blocks granted or committed that were compared with their holders
 * @param looks blocks, nodes and extents looked at
 * @param counts how many findings of each kind there are
 * @param findings the first {@link #MAX_FINDINGS} of them
 * @param unchecked what could not be checked, and why
 */
public record AuditReport(
        int servers,
        long blocks,
        long looks,
        Map<Finding.Kind, Long> counts,
        List<Finding> findings,
        List<String> unchecked) {
    /** More findings are counted, not kept. */
    public static final int MAX_FINDINGS = 10_000;

    public AuditReport {
        Map<Finding.Kind, Long> ordered = new EnumMap<>(Finding.Kind.class);
        ordered.putAll(counts);
        counts = Map.copyOf(ordered);
        findings = List.copyOf(findings);
        unchecked = List.copyOf(unchecked);
    }

    public long count(Finding.Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** Whether everything was checked and nothing found. */
    public boolean isClean() {
        return counts.isEmpty() && unchecked.isEmpty();
    }
}
