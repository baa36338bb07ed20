// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * The history of one name, a key or a path, and whether what a reader saw can be: somebody wrote
 * it, had begun to before the reader was done, and nobody replaced it in between for certain.
 * (Necessary for linearizability, not sufficient; it needs no search.)
 */
final class Register {
    /** What is there when nothing is. */
    static final long ABSENT = 0;

    private static final long NEVER = Long.MAX_VALUE;

    /** A change under way, or done. */
    static final class Write {
        private final long value;
        private final long begun;
        private long applied = NEVER;
        private boolean failed;

        private Write(long value, long begun) {
            this.value = value;
            this.begun = begun;
        }

        /** It took effect before that time. */
        void applied(long now) {
            applied = now;
        }

        /** It did not take effect and never will. */
        void failed() {
            failed = true;
        }
    }

    private final List<Write> writes = new ArrayList<>();

    Register() {
        writes.add(new Write(ABSENT, 0));
        writes.get(0).applied(0);
    }

    Write begin(long value, long now) {
        Write write = new Write(value, now);
        writes.add(write);
        return write;
    }

    /** Whether a reader can have seen {@code value} between these times. */
    boolean allows(long value, long from, long to) {
        for (Write candidate : writes) {
            if (candidate.value == value
                    && !candidate.failed
                    && candidate.begun <= to
                    && !isReplaced(candidate, from)) {
                return true;
            }
        }
        return false;
    }

    private boolean isReplaced(Write candidate, long before) {
        for (Write later : writes) {
            if (candidate.applied < later.begun && later.applied < before) {
                return true;
            }
        }
        return false;
    }
}
