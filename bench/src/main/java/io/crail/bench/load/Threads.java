// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.Histogram;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Crew;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A member in this process: threads that share a client. */
final class Threads implements Member {
    private final Workload workload;
    private final Crew crew;
    private final List<Work> limits = new ArrayList<>();
    private final List<Work> products = new ArrayList<>();

    /**
     * Takes the workload over: it is closed with this, or now if this fails.
     *
     * @param count of threads
     */
    Threads(Workload workload, int count) throws IOException {
        this.workload = workload;
        this.crew = new Crew(count);
        boolean complete = false;
        try {
            for (int i = 0; i < count; i++) {
                limits.add(workload.limit(i));
                products.add(workload.product(i));
            }
            complete = true;
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    @Override
    public void prepare(long nanos) throws IOException {
        workload.prepare(nanos);
    }

    @Override
    public Tally limit(long nanos) throws IOException {
        return run(limits, nanos);
    }

    @Override
    public Tally product(long nanos) throws IOException {
        return run(products, nanos);
    }

    private Tally run(List<Work> works, long nanos) throws IOException {
        List<Histogram> times = new ArrayList<>();
        works.forEach(work -> times.add(new Histogram()));
        Batches.Done done = crew.run(i -> works.get(i).run(nanos, times.get(i)));
        Histogram all = new Histogram();
        times.forEach(all::add);
        return new Tally(done.operations(), done.figure(), all);
    }

    @Override
    public void close() throws IOException {
        try (workload) {
            crew.close();
        }
    }
}
