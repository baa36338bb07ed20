// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.stage;

import io.crail.bench.measure.Cores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where processes run while they are measured. A round trip between two cores takes several times
 * as long as one on a single core, and the scheduler flips between them; so both are measured by
 * themselves.
 */
public enum Setting {
    /** All wherever the scheduler puts them. */
    FREE("free", 1),
    /** All on one core: nobody can spin. */
    ONE_CORE("one-core", 1),
    /** The clients on one core, servers and peer on another. */
    TWO_CORE("two-core", 2);

    /** Those that leave the scheduler no choice. */
    public static final List<Setting> FIXED = List.of(ONE_CORE, TWO_CORE);

    private final String text;
    private final int cores;

    Setting(String text, int cores) {
        this.text = text;
        this.cores = cores;
    }

    /** What results call it. */
    public String text() {
        return text;
    }

    /** Whether processes are confined. */
    public boolean isFixed() {
        return this != FREE;
    }

    /**
     * Whether limits of that many clients spin: only if each client and its other side have a core.
     * Two that spin on one core ruin each other.
     */
    public boolean spins(int clients) {
        return switch (this) {
            case FREE -> 2 * clients < Runtime.getRuntime().availableProcessors();
            case ONE_CORE -> false;
            case TWO_CORE -> clients == 1;
        };
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
        if (!isFixed()) {
            return new Confinement(List.of(), all);
        }
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
