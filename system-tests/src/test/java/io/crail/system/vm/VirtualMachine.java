// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import io.crail.system.process.Ports;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A virtual machine of {@code system-tests/vm}, up from {@link #boot} to {@link #close}. It sees
 * the files of this host, may change them for itself only, and reaches this host's loopback as
 * {@link #HOST}. Its console is kept in {@code target/vm/NAME}, where the next machine of that name
 * replaces it.
 *
 * <p>Commands go to {@code serve.sh} in the guest, a line each, and run one after the other. What
 * comes back is read by one thread, which hands each line to the command that runs; a line that
 * begins with SOH ends it. Starting a command is for one thread at a time and needs the one before
 * to have ended; both are checked. {@code current} is guarded by this object.
 *
 * <p>Every wait has a bound, and run.sh has one for the whole life of the machine. However this JVM
 * ends, the kernel ends run.sh's QEMU.
 */
final class VirtualMachine implements AutoCloseable {
    /** The address of this host's loopback in the guest. */
    static final String HOST = "10.0.2.2";

    /** What one command may take; emulated and on a busy machine, all is slow. */
    static final Duration COMMAND_BOUND = Duration.ofMinutes(2);

    private static final Duration BOOT_BOUND = Duration.ofMinutes(2);

    /**
     * For the method before tests that boots: more than the boot's bound, so that a machine that
     * does not come up is told with its console and not as a method that took too long.
     */
    static final int BOOT_METHOD_SECONDS = 420;

    private static final long LIFE_SECONDS = 900;
    private static final long END_SECONDS = 60;

    /** Of a kernel that panics, what it says and the registers and calls that follow. */
    private static final int CONSOLE_LINES = 100;

    private static final String MARK = "\u0001";

    private final Process process;
    private final Path control;
    private final int forwardedPort;
    private final Thread reader;
    private final Output messages = new Output();
    private @Nullable GuestCommand current;
    private boolean gone;
    // Of the reader alone: an empty line has come, which only the next one tells the meaning of.
    private boolean blank;

    private VirtualMachine(Process process, Path control, int forwardedPort) {
        this.process = process;
        this.control = control;
        this.forwardedPort = forwardedPort;
        reader = new Thread(this::read, "virtual-machine-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * A machine that is up.
     *
     * @param name of the directory of its console: of the test
     * @param guestPort whose connections to {@link #forwardedPort} get there
     */
    static VirtualMachine boot(String name, int guestPort) {
        return boot(name, guestPort, List.of());
    }

    /**
     * A machine that is up.
     *
     * @param shares directories that it sees wherever they are; it has a {@code /tmp} of its own
     */
    static VirtualMachine boot(String name, int guestPort, Collection<Path> shares) {
        Path control = Path.of("target", "vm", name).toAbsolutePath();
        try {
            int port = Ports.free();
            List<String> command =
                    new ArrayList<>(
                            List.of(
                                    script().toString(),
                                    "--stdin",
                                    "--seconds",
                                    Long.toString(LIFE_SECONDS),
                                    "--control",
                                    control.toString(),
                                    "--forward",
                                    port + ":" + guestPort));
            shares.forEach(each -> command.addAll(List.of("--share", each.toString())));
            command.addAll(List.of("--", "exec serve.sh"));
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            VirtualMachine machine = new VirtualMachine(process, control, port);
            machine.awaitReady();
            return machine;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs one command in a machine of its own. */
    static Path script() {
        return Path.of(System.getProperty("crail.home"), "system-tests", "vm", "run.sh");
    }

    private void awaitReady() {
        try {
            if (messages.await((MARK + "ready")::equals, BOOT_BOUND).isEmpty()) {
                AssertionError failed =
                        new AssertionError("the virtual machine did not come up; " + describe());
                close();
                throw failed;
            }
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the virtual machine booted", e);
        }
    }

    /** The port of this host's loopback that leads into the guest. */
    int forwardedPort() {
        return forwardedPort;
    }

    long pid() {
        return process.pid();
    }

    /** Whether it takes a command: it is up, and the one before has ended. */
    synchronized boolean isFree() {
        return !gone && current == null;
    }

    /** Runs a command to its end, which must be a good one; returns what it printed. */
    List<String> run(String command) {
        return start(command).awaitSuccess();
    }

    /** Starts a command, one line for bash. The one before must have ended. */
    GuestCommand start(String command) {
        if (command.indexOf('\n') >= 0) {
            throw new IllegalArgumentException("not one line: " + command);
        }
        GuestCommand started = new GuestCommand(this, command);
        synchronized (this) {
            if (gone) {
                throw new AssertionError("the virtual machine is gone; " + describe());
            }
            if (current != null) {
                throw new IllegalStateException("a command runs already");
            }
            current = started;
        }
        try {
            OutputStream in = process.getOutputStream();
            in.write((command + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new AssertionError("the virtual machine takes no command; " + describe(), e);
        }
        return started;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line;
            while ((line = lines.readLine()) != null) {
                handle(line);
            }
        } catch (IOException e) {
            messages.add("(reading its output failed: " + e + ")");
        } finally {
            messages.end();
            lose();
        }
    }

    private void handle(String line) {
        GuestCommand command = current();
        if (command == null) {
            messages.add(line);
        } else if (line.startsWith(MARK + "exit ")) {
            // The empty line before is serve.sh's, which ends the last one of the command.
            blank = false;
            synchronized (this) {
                current = null;
            }
            command.ended(Integer.parseInt(line.substring((MARK + "exit ").length())));
        } else {
            if (blank) {
                command.printed("");
            }
            blank = line.isEmpty();
            if (!blank) {
                command.printed(line);
            }
        }
    }

    private synchronized @Nullable GuestCommand current() {
        return current;
    }

    private void lose() {
        GuestCommand command;
        synchronized (this) {
            gone = true;
            command = current;
            current = null;
        }
        if (command != null) {
            command.lost();
        }
    }

    /** For messages: what the machine has said last. */
    String describe() {
        return messages.text() + "\nthe end of " + console() + ":\n" + tail();
    }

    private Path console() {
        return control.resolve("console.log");
    }

    private String tail() {
        try {
            // As it comes from a serial line, not all of it need be text.
            List<String> lines =
                    Files.exists(console())
                            ? Files.readString(console(), StandardCharsets.ISO_8859_1)
                                    .lines()
                                    .toList()
                            : List.of();
            int from = Math.max(0, lines.size() - CONSOLE_LINES);
            return String.join("\n", lines.subList(from, lines.size()));
        } catch (IOException e) {
            return "(" + e + ")";
        }
    }

    /** Pulls the plug. */
    @Override
    public void close() {
        process.destroy();
        boolean interrupted = false;
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
