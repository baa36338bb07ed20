// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The writes of a put that are under way, by the servers that they go to. On the strand of the put.
 */
final class WriteSteps {
    private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

    private final Engine engine;
    private final Operation put;
    private final IntConsumer late;
    private final List<Step> steps = new ArrayList<>(1);

    /**
     * None under way.
     *
     * @param late is told of servers that do not answer for long, again and again
     */
    WriteSteps(Engine engine, Operation put, IntConsumer late) {
        this.engine = engine;
        this.put = put;
        this.late = late;
    }

    /**
     * The step of a block to be written now: that of the blocks which go to the same server in this
     * round, if there is one.
     */
    Step to(int server, int round) {
        for (Step step : steps) {
            if (step.server == server && step.round == round) {
                step.blocks++;
                return step;
            }
        }
        Step step = new Step(server, round);
        steps.add(step);
        return step;
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Calls all of them off. */
    void cancel(CrailException cause) {
        List.copyOf(steps).forEach(step -> step.operation.cancel(cause));
    }

    /**
     * The writes of blocks that were begun together and go to one server: called off with the put,
     * or when the value moves elsewhere. One operation for all of them: each has a reminder and a
     * place among those that are watched, which shows beside copies of microseconds. Blocks begun
     * later have their own, or a server that takes one after another would seem late.
     */
    final class Step {
        private final Operation operation;
        private final Runnable tellLate;
        private final int server;
        private final int round;
        private final Cancellable part;
        private int blocks = 1;

        private Step(int server, int round) {
            this.server = server;
            this.round = round;
            tellLate = () -> late.accept(server);
            // A little longer than the put, whose deadline it is that shall be reported.
            operation = engine.newOperation(put.strand(), put.what(), put.remainingNanos() + SLACK);
            part = operation::cancel;
            operation.remindEvery(Relocation.patienceNanos(put.timeoutNanos()), tellLate);
            put.add(part);
            engine.watch(operation);
        }

        /** What its writes are part of. */
        Operation operation() {
            return operation;
        }

        /** To be run when its server is away. */
        Runnable late() {
            return tellLate;
        }

        /** One of its blocks is written, or will not be. */
        void end() {
            if (--blocks > 0) {
                return;
            }
            engine.unwatch(operation);
            put.remove(part);
            steps.remove(this);
        }
    }
}
