// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

/**
 * What is done again and again.
 *
 * @param kind reads or writes, at random or in sequence
 * @param bytes of each
 * @param depth how many are under way
 */
record Access(Kind kind, int bytes, int depth) {
    /** How positions follow each other. */
    enum Kind {
        RANDOM_READ("randread"),
        READ("read"),

        /**
         * Data is left where the target has put it, if it shares memory, and given back at once.
         */
        READ_IN_PLACE("read"),
        WRITE("write");

        private final String name;

        Kind(String name) {
            this.name = name;
        }

        /** What fio calls it. */
        String fioName() {
            return name;
        }

        boolean isWrite() {
            return this == WRITE;
        }
    }
}
