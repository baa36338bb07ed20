// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

/**
 * What a check found.
 *
 * @param level how bad it is
 * @param what what is so, and why that matters
 * @param remedy what to do; empty if nothing has to be done
 */
record Finding(Level level, String what, String remedy) {
    /** How bad a finding is. */
    enum Level {
        OK("ok"),
        /** Works, but slower, less safely, or not everywhere. */
        WARNING("warning"),
        /** Something does not work. */
        PROBLEM("problem");

        private final String word;

        Level(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    static Finding ok(String what) {
        return new Finding(Level.OK, what, "");
    }

    /** All right, and could be better. */
    static Finding ok(String what, String remedy) {
        return new Finding(Level.OK, what, remedy);
    }

    static Finding warning(String what, String remedy) {
        return new Finding(Level.WARNING, what, remedy);
    }

    static Finding problem(String what, String remedy) {
        return new Finding(Level.PROBLEM, what, remedy);
    }
}
