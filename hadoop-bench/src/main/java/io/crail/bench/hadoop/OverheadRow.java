// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much longer an operation takes by Hadoop than by the Java client.
 *
 * @param name of the row
 * @param target of all its settings, or null
 * @param confined whether it is so short that it matters on which cores it runs: it is measured in
 *     both settings then
 */
record OverheadRow(String name, Operation operation, @Nullable Target target, boolean confined)
        implements Row {
    @Override
    public List<Result> measure(Stores stores, Effort effort) throws IOException {
        List<Setting> settings = confined ? Setting.FIXED : List.of(Setting.FREE);
        List<Result> results = new ArrayList<>();
        // Compilers need cores: they get them before anybody is confined. Twice, since what they
        // made is thrown away in part when the first client is closed, which they had not seen.
        for (int i = 0; confined && i < 2; i++) {
            try (Store client = stores.client();
                    Store crail = stores.crail()) {
                warmUp(client, crail, effort);
            }
        }
        for (Setting setting : settings) {
            Label label = new Label(name, setting.text(), Label.MICROS, "Java client", target);
            results.add(
                    setting.isPossible()
                            ? confined(stores, setting, label, effort)
                            : Result.skipped(label, "too few cores", Row.load()));
        }
        return results;
    }

    private Result confined(Stores stores, Setting setting, Label label, Effort effort)
            throws IOException {
        Setting.Confinement confinement =
                setting.confine(List.of(ProcessHandle.current()), stores.processes());
        try {
            return compare(stores, label, effort);
        } finally {
            confinement.close();
        }
    }

    private void warmUp(Store client, Store crail, Effort effort) throws IOException {
        try (Contestant first = Contestant.prepare(client, name + "-client", operation, effort);
                Contestant second = Contestant.prepare(crail, name, operation, effort)) {
            first.warmUp(effort.warmUp());
            second.warmUp(effort.warmUp());
        }
    }

    /** Microseconds, so that a ratio above 1 is what Hadoop costs. */
    private Result compare(Stores stores, Label label, Effort effort) throws IOException {
        try (Store client = stores.client();
                Store crail = stores.crail();
                Contestant limit = Contestant.prepare(client, name + "-client", operation, effort);
                Contestant product = Contestant.prepare(crail, name, operation, effort)) {
            limit.warmUp(effort.warmUp());
            product.warmUp(effort.warmUp());
            return new Batches(effort.batches(), stores.processes())
                    .compare(
                            label,
                            batch -> limit.batch(effort.batchTime()) / 1e3,
                            batch -> {
                                double micros = product.batch(effort.batchTime()) / 1e3;
                                return new Batches.Done(micros, product.operations());
                            });
        }
    }
}
