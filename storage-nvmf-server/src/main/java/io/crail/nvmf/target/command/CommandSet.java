// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.command;

/** What the commands of a queue mean. */
public interface CommandSet {
    /**
     * Looks at a command that has arrived: sets its kind, and the direction, length and place of
     * its data. Called by the event loop.
     *
     * @return success, or the status that ends the command before any data moves
     */
    int prepare(Command command);

    /**
     * Carries out a command whose data from the host, if any, is there. Sets status and result, and
     * fills the data for the host.
     *
     * @return false if the command stays open, to be completed later by whoever holds it
     */
    boolean execute(Command command);

    /**
     * Whether carrying a command out is nothing but reading its range of a medium to its buffer,
     * and the unit that goes along to where that belongs, in any order, so that this may be done
     * without {@link #execute}, between {@link #beginRead} and {@link #endRead}.
     */
    default boolean isPlainRead(Command command) {
        return false;
    }

    /**
     * Lets a plain read to its medium.
     *
     * @return false if the medium must not be touched: then the command has its status, and {@link
     *     #endRead} must not be called
     */
    default boolean beginRead(Command command) {
        throw new UnsupportedOperationException("no plain read");
    }

    /** Nothing of the read happens any more. Any thread. */
    default void endRead(Command command) {
        throw new UnsupportedOperationException("no plain read");
    }

    /** Whether {@link #execute} may wait, and so is for a worker; else it is for the event loop. */
    boolean mayWait();
}
