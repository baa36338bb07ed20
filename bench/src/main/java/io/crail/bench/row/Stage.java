// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.Peer;
import io.crail.bench.measure.WarmUp;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What rows measure with.
 *
 * @param servers the cluster
 * @param peer the other side of the limits
 * @param effort how long
 */
public record Stage(Servers servers, Peer peer, Effort effort) {
    /** As {@link Batches#compare}, as many as the effort says. */
    Result compare(Label label, Batches.LimitBatch limit, Batches.ProductBatch product)
            throws IOException {
        return new Batches(effort.batches(), servers.processes()).compare(label, limit, product);
    }

    /** Repeats what is to be measured until it is warm. */
    WarmUp warmUp() {
        return WarmUp.with(effort.warmUp(), effort.mostWarmUp(), others());
    }

    /** The same of operations that are large. */
    WarmUp longWarmUp() {
        return WarmUp.with(effort.longWarmUp(), effort.mostWarmUp(), others());
    }

    /** The processes at the other end of whatever is measured. */
    List<ProcessHandle> others() {
        List<ProcessHandle> others = new ArrayList<>(servers.processes());
        others.add(peer.process());
        return others;
    }
}
