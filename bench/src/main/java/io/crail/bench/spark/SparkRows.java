// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The rows that are wanted, in the order of the table. Immutable. */
public final class SparkRows {
    private final List<SparkRow> rows;
    private final SparkEffort effort;
    private final SparkSizes sizes;

    /**
     * The rows of these names.
     *
     * @param names all if it is empty
     * @throws InvalidArgumentException if there is none of one of the names
     */
    public SparkRows(List<String> names, SparkSizes sizes, SparkEffort effort)
            throws InvalidArgumentException {
        List<SparkRow> all = sizes.rows();
        List<String> known = all.stream().map(SparkRow::name).toList();
        for (String wanted : names) {
            if (!known.contains(wanted)) {
                throw new InvalidArgumentException(
                        "there is no row '%s'; the rows are %s"
                                .formatted(wanted, String.join(", ", known)));
            }
        }
        this.rows =
                all.stream().filter(row -> names.isEmpty() || names.contains(row.name())).toList();
        this.effort = effort;
        this.sizes = sizes;
    }

    /** How many there are. */
    public int count() {
        return rows.size();
    }

    /** What the store needs. */
    public long capacity() {
        return sizes.capacity();
    }

    /**
     * Measures them.
     *
     * @param launcher starts applications
     * @param servers of crail, whose processor time and memory counts
     * @param flash makes a store with a flash tier, for rows that need one
     */
    public List<SparkOutcome> run(
            SparkApplication.Launcher launcher,
            List<ProcessHandle> servers,
            FlashStore.Provider flash,
            SparkProgress progress)
            throws IOException {
        List<SparkOutcome> results = new ArrayList<>();
        for (SparkRow row : rows) {
            progress.begins(row.name());
            SparkOutcome result =
                    row.usesFlash()
                            ? new FlashDuel(row, effort, launcher, servers, flash, progress).run()
                            : new Duel(row, effort, launcher, servers, progress).run();
            results.add(result);
            progress.measured(List.of(result));
        }
        return results;
    }
}
