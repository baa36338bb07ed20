// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.bench.measure.Cores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where processes run while latencies are measured. A round trip between two cores takes several
 * times as long as one on a single core, and the scheduler flips between them; so both are measured
 * by themselves.
 */
public enum Setting {
    /** All on one core: nobody can spin. */
    ONE_CORE("one-core", 1, false),
    /** The client on one core, servers and peer on another: the limit spins. */
    TWO_CORE("two-core", 2, true);

    private final String text;
    private final int cores;
    private final boolean spins;

    Setting(String text, int cores, boolean spins) {
        this.text = text;
        this.cores = cores;
        this.spins = spins;
    }

    /** What results call it. */
    public String text() {
        return text;
    }

    /** Whether the limit spins. */
    public boolean spins() {
        return spins;
    }

    /** Whether this machine has the cores. */
    public boolean isPossible() throws IOException {
        return Cores.parse(Cores.allowed()).length >= cores;
    }

    /**
     * Confines processes until that is closed.
     *
     * @param clients those that measure
     * @param others servers, and the other side of the limits
     */
    public Confinement confine(List<ProcessHandle> clients, List<ProcessHandle> others)
            throws IOException {
        String all = Cores.allowed();
        int[] numbers = Cores.parse(all);
        // The first core takes most of the interrupts: the last ones have least else to do.
        String client = Integer.toString(numbers[numbers.length - 1]);
        String server = Integer.toString(numbers[numbers.length - cores]);
        List<ProcessHandle> processes = new ArrayList<>(clients);
        processes.addAll(others);
        Confinement confinement = new Confinement(processes, all);
        boolean complete = false;
        try {
            for (ProcessHandle process : processes) {
                Cores.confine(process.pid(), clients.contains(process) ? client : server);
            }
            complete = true;
            return confinement;
        } finally {
            if (!complete) {
                confinement.close();
            }
        }
    }

    /**
     * Processes that are confined.
     *
     * @param processes all that are
     * @param before the cores that they had
     */
    public record Confinement(List<ProcessHandle> processes, String before) {
        /** Gives all of them the cores back that they had. */
        public void close() throws IOException {
            for (ProcessHandle process : processes) {
                Cores.confine(process.pid(), before);
            }
        }
    }
}
