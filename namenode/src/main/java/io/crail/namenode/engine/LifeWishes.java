// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.Mutation;
import io.crail.namenode.state.SetLifetime;

/** What requests say about the end of nodes: checked, and put into the mutation. */
final class LifeWishes {
    /** No time to live. */
    static final long FOREVER = -1;

    /** A hundred years; what is longer is meant to be without an end. */
    private static final long MAX_MILLIS = 100L * 365 * 24 * 3600 * 1000;

    /** The end of a session removes them in one step. */
    private static final int MAX_BOUND = 1024;

    private LifeWishes() {}

    static void checkLifetime(long millis) throws InvalidArgumentException {
        if (millis != FOREVER && (millis < 1 || millis > MAX_MILLIS)) {
            throw new InvalidArgumentException(
                    "a time to live of "
                            + millis
                            + " ms; it must be 1 ms to 100 years, or -1 for none");
        }
    }

    static void checkBinding(Session session) throws CrailException {
        if (session.bound().size() >= MAX_BOUND) {
            throw new BusyException(
                    MAX_BOUND
                            + " nodes are bound to session "
                            + session.id()
                            + "; bind a directory and make the others below it");
        }
    }

    /** A mutation that makes a node; with its end if it has one. */
    static Mutation made(Core core, Mutation mutation, long lifetimeMillis, long session) {
        int mask =
                (lifetimeMillis == FOREVER ? 0 : SetLifetime.TIME)
                        | (session == 0 ? 0 : SetLifetime.SESSION);
        return changed(core, mutation, mask, lifetimeMillis, session);
    }

    /** A mutation of a node, and of what the mask says of its end. */
    static Mutation changed(
            Core core, Mutation mutation, int mask, long lifetimeMillis, long session) {
        return mask == 0
                ? mutation
                : new SetLifetime(core.lifetimeMillis(), mask, lifetimeMillis, session, mutation);
    }
}
