// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.util.concurrent.Semaphore;

/**
 * A thread for code that waits in the middle of things. It runs only while the simulation's thread
 * waits for it, and the other way round, so there is never more than one that runs.
 */
final class Fiber extends Thread {
    private final Semaphore mine = new Semaphore(0);
    private final Semaphore simulation = new Semaphore(0);
    private final SimulatedProcess process;

    Fiber(Timeline timeline, Runnable body) {
        super(body);
        setDaemon(true);
        this.process =
                new SimulatedProcess(
                        timeline,
                        () -> {
                            proceed();
                            return Long.MAX_VALUE;
                        });
    }

    @Override
    public synchronized void start() {
        super.start();
        process.poke();
    }

    @Override
    public void run() {
        mine.acquireUninterruptibly();
        try {
            super.run();
        } finally {
            process.end();
            simulation.release();
        }
    }

    private void proceed() {
        mine.release();
        simulation.acquireUninterruptibly();
    }

    /** Lets the simulation go on, until somebody pokes the fiber, but for so long at most. */
    void pause(long nanos) {
        process.wakeIn(nanos);
        simulation.release();
        mine.acquireUninterruptibly();
    }

    void poke() {
        process.poke();
    }
}
