// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.Histogram;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Crew;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import java.io.IOException;
import java.util.List;

/** Measures the members of a row together: a warm-up, then alternating batches. */
final class Trial {
    private final List<Member> members;
    private final Crew crew;
    private final long nanos;
    private final double unit;

    private Trial(List<Member> members, Crew crew, long nanos, double unit) {
        this.members = members;
        this.crew = crew;
        this.nanos = nanos;
        this.unit = unit;
    }

    /** One batch of one member. */
    @FunctionalInterface
    private interface Part {
        Tally of(Member member) throws IOException;
    }

    /**
     * Measures.
     *
     * @param unit what an operation counts in the unit of the label
     * @param others processes whose processor time counts, besides this one
     */
    static Result run(
            Label label, Pace pace, List<Member> members, double unit, List<ProcessHandle> others)
            throws IOException {
        try (Crew crew = new Crew(members.size())) {
            Trial trial = new Trial(members, crew, pace.batch().toNanos(), unit);
            Histogram limit = new Histogram();
            Histogram product = new Histogram();
            trial.limit();
            trial.product();
            Result result =
                    new Batches(pace.batches(), others)
                            .compare(
                                    label,
                                    batch -> trial.figure(trial.limit(), limit),
                                    batch -> trial.done(trial.product(), product));
            return result.with(
                    new Result.Times(
                            product.quantiles(), limit.count() == 0 ? null : limit.quantiles()));
        }
    }

    /** The preparation goes first: it is not crail's batch whose processor time it would take. */
    private Tally limit() throws IOException {
        crew.run(
                i -> {
                    members.get(i).prepare(nanos);
                    return 1;
                });
        return together(member -> member.limit(nanos));
    }

    private Tally product() throws IOException {
        return together(member -> member.product(nanos));
    }

    private Tally together(Part part) throws IOException {
        Tally[] tallies = new Tally[members.size()];
        crew.run(
                i -> {
                    tallies[i] = part.of(members.get(i));
                    return tallies[i].operations();
                });
        Tally sum = tallies[0];
        for (int i = 1; i < tallies.length; i++) {
            sum = sum.and(tallies[i]);
        }
        return sum;
    }

    private double figure(Tally tally, Histogram times) {
        times.add(tally.times());
        return tally.perSecond() * unit;
    }

    private Batches.Done done(Tally tally, Histogram times) {
        return new Batches.Done(figure(tally, times), tally.operations());
    }
}
