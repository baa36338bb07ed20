// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import java.io.IOException;
import java.util.List;

/**
 * Many random reads of 4 KiB under way: how many in a second, beside fio, by each {@link Route}.
 */
final class RateRow implements NvmfRow {
    static final String RANDOM_READ = "nvmf_read4k";

    private static final int DEPTH = 32;
    private static final double TARGET = 0.7;

    private final Route route;

    RateRow(Route route) {
        this.route = route;
    }

    @Override
    public String name() {
        return RANDOM_READ;
    }

    @Override
    public boolean writes() {
        return false;
    }

    @Override
    public List<Result> measure(Arena arena) throws IOException {
        Access access = new Access(Access.Kind.RANDOM_READ, 4 << 10, DEPTH);
        Label label =
                new Label(
                        name(),
                        route.after("depth " + DEPTH),
                        Label.PER_SECOND,
                        arena.fio().name(),
                        Label.Target.atLeast(TARGET));
        return arena.connected(
                access,
                route.isLocal(),
                calls -> {
                    arena.effort()
                            .warmUp(arena.others())
                            .run(number -> calls.keepUnderWay(arena.batchNanos() / 4));
                    return List.of(
                            arena.compare(
                                    label,
                                    batch ->
                                            arena.fio()
                                                    .run(access, arena.effort().batchTime())
                                                    .perSecond(),
                                    batch -> done(calls.keepUnderWay(arena.batchNanos()))));
                });
    }

    private static Batches.Done done(Calls.Done done) {
        return new Batches.Done(done.perSecond(), done.count());
    }
}
