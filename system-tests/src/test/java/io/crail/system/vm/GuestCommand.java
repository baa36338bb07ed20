// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * A command that runs, or has run, in a {@link VirtualMachine}. Its lines may be waited for while
 * it runs. Whatever keeps it from going on - the time is over, the machine is gone - is an {@link
 * AssertionError} with what it has printed and the end of the machine's console. Thread-safe.
 */
final class GuestCommand {
    private final VirtualMachine machine;
    private final String command;
    private final Output output = new Output();
    // Written before the end of the output, read after it.
    private volatile int status = -1;

    GuestCommand(VirtualMachine machine, String command) {
        this.machine = machine;
        this.command = command;
    }

    /** The first line with that beginning; waits for it, at most as long as a command may take. */
    String awaitLine(String prefix) {
        return awaitLine(line -> line.startsWith(prefix), "a line that begins with " + prefix);
    }

    private String awaitLine(Predicate<String> wanted, String what) {
        try {
            return output.await(wanted, VirtualMachine.COMMAND_BOUND)
                    .orElseThrow(() -> failed("did not print " + what));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits for the end; returns the exit status. */
    int awaitStatus() {
        return awaitStatus(VirtualMachine.COMMAND_BOUND);
    }

    /** The same, of one that takes longer or must not. */
    int awaitStatus(Duration bound) {
        try {
            if (!output.awaitEnd(bound)) {
                throw failed("did not end within " + bound.toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (status < 0) {
            throw failed("did not end before the machine did");
        }
        return status;
    }

    /** Waits for the end, which must be a good one; returns all lines. */
    List<String> awaitSuccess() {
        int ended = awaitStatus();
        if (ended != 0) {
            throw failed("ended with status " + ended);
        }
        return output.lines();
    }

    /** The lines so far. */
    List<String> lines() {
        return output.lines();
    }

    void printed(String line) {
        output.add(line);
    }

    void ended(int exitStatus) {
        status = exitStatus;
        output.end();
    }

    /** The machine is gone, and the command with it. */
    void lost() {
        output.end();
    }

    private AssertionError failed(String what) {
        return new AssertionError(
                "in the virtual machine, \""
                        + command
                        + "\" "
                        + what
                        + "; it printed:\n"
                        + output.text()
                        + "\n"
                        + machine.describe());
    }

    private static AssertionError interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted while a command ran in the virtual machine", e);
    }
}
