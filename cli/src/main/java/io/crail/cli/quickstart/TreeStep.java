// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailClient;
import java.io.IOException;
import java.util.Locale;

/** Many small files: a directory tree copied in and read back. */
final class TreeStep implements Step {
    private static final String TARGET = "/tree";

    private final SourceTree tree;
    private final TreeCopy copy;

    TreeStep(CrailClient client, SourceTree tree) {
        this.tree = tree;
        this.copy = new TreeCopy(client, tree, TARGET);
    }

    @Override
    public String subject() {
        return "a directory tree";
    }

    @Override
    public void run(Stage stage) throws IOException {
        try (Progress progress = stage.progress("tree", 2 * tree.bytes())) {
            stage.add(measure("copy the tree in", () -> copy.copyIn(progress::add)));
            stage.add(measure("read it back, comparing", () -> copy.compare(progress::add)));
        }
    }

    @Override
    public void verify(Stage stage) throws IOException {
        copy.compare(bytes -> {});
    }

    /** One batch: files cost several calls each, and several are under way at a time. */
    private Measurement measure(String operation, Invocation.Action action) throws IOException {
        int files = tree.files().size();
        String amount =
                String.format(Locale.ROOT, "%,d files, %s", files, Measurement.size(tree.bytes()));
        Comparison comparison = new Comparison(Loopback.ROUND_TRIP);
        double roundTrip = Loopback.roundTrips().median();
        long nanos = Stage.time(action);
        comparison.add(Measurement.perSecond(files, nanos), 1e9 / roundTrip);
        return new Measurement(operation, amount, nanos, Measurement.Kind.COUNT, comparison);
    }
}
