// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.nvmf;

import static org.awaitility.Awaitility.await;

import io.crail.cli.Main;
import io.crail.cli.terminal.Console;
import io.crail.client.local.ReadyLine;
import io.crail.protocol.config.Endpoint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The command in a thread of its own: it serves when this is made, and has ended when closed. */
final class ServingTarget implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("(ready on \\S+|})\n$");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Thread thread;

    ServingTarget(String... options) {
        List<String> arguments = new ArrayList<>(List.of("nvmf", "target", "--port", "0"));
        arguments.addAll(List.of(options));
        Console console =
                Console.captured(
                        new ByteArrayInputStream(new byte[0]),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
        thread =
                new Thread(
                        () -> Main.run(arguments.toArray(String[]::new), console, Map.of()),
                        "target");
        thread.start();
        await().until(() -> READY.matcher(out()).find() || !thread.isAlive());
        if (!thread.isAlive()) {
            throw new AssertionError("it ended: " + err());
        }
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    /** Of the ready line. */
    Endpoint address() {
        return ReadyLine.findAddress(out(), "nvmf target").orElseThrow();
    }

    @Override
    public void close() {
        thread.interrupt();
        await().until(() -> !thread.isAlive());
    }
}
