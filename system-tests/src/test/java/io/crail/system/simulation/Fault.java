// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

/**
 * Something that goes wrong.
 *
 * @param at nanoseconds after the beginning
 * @param target which connection or process, modulo their number
 * @param nanos how long it lasts, for kinds that last
 */
record Fault(long at, Kind kind, int target, long nanos) {
    enum Kind {
        RESET(10),
        /** A request arrives in part, then the connection breaks. */
        TRUNCATE_REQUEST(10),
        /** An answer arrives in part, then the connection breaks: the request took effect. */
        TRUNCATE_ANSWER(14),
        DELAY_REQUEST(8),
        DELAY_ANSWER(8),
        /** The next whole request arrives twice. */
        DUPLICATE_REQUEST(10),
        SLOW(6),
        /** Nothing arrives any more, in either direction. */
        HALF_OPEN(5),
        /** Answers do not arrive any more. */
        DEAF(4),
        KILL_NAMENODE(5),
        /** Its log cannot be written, until it is started again. */
        FULL_DISK(2),
        KILL_STORAGE(6),
        /** Comes back with empty memory. */
        WIPE_STORAGE(2),
        KILL_CLIENT(4),
        FREEZE_NAMENODE(2),
        FREEZE_STORAGE(4),
        FREEZE_CLIENT(6);

        private final int weight;

        Kind(int weight) {
            this.weight = weight;
        }

        static Kind of(int number) {
            int total = 0;
            for (Kind kind : values()) {
                total += kind.weight;
            }
            int left = Math.floorMod(number, total);
            for (Kind kind : values()) {
                left -= kind.weight;
                if (left < 0) {
                    return kind;
                }
            }
            throw new AssertionError("weights do not add up");
        }
    }
}
