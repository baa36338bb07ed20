// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.stopped;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a client process is told over its standard input: commands, a line each, and a line that
 * ends what it does. A thread reads them, so that work never waits for input. Ends with its input.
 */
final class Orders {
    private final BufferedReader input =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final AtomicBoolean finish = new AtomicBoolean();
    private final String namenode;
    private final boolean sharedMemory;
    private final Board board;

    /** Arguments: namenode, whether over shared memory, file of the board. */
    Orders(String[] args) throws IOException {
        namenode = args[0];
        sharedMemory = Boolean.parseBoolean(args[1]);
        board = Board.open(Path.of(args[2]));
    }

    /** Work that goes on until it is told to finish; returns what to print. */
    @FunctionalInterface
    interface Work {
        String run(CrailClient client, String[] words, Board board) throws IOException;
    }

    Board board() {
        return board;
    }

    /** Whether to come to an end. */
    boolean toFinish() {
        return finish.get();
    }

    /** Each command: words, the first of which is the session timeout in milliseconds. */
    void carryOut(Work work) throws IOException, InterruptedException {
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = line.split(" ", -1);
            finish.set(false);
            Thread listener = new Thread(this::awaitFinish, "listener");
            listener.setDaemon(true);
            listener.start();
            String result;
            try (CrailClient client = connect(Integer.parseInt(words[0]))) {
                result = work.run(client, words, board);
            }
            // The last line of this command belongs to the listener.
            listener.join();
            System.out.println(result);
        }
    }

    private void awaitFinish() {
        try {
            input.readLine();
            finish.set(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private CrailClient connect(int sessionMillis) throws CrailException {
        return CrailClient.connect(
                ClientConfig.builder()
                        .namenodes(List.of(namenode))
                        .clientName("sleeper")
                        .sharedMemory(sharedMemory)
                        .sessionTimeout(Duration.ofMillis(sessionMillis))
                        .deadline(Duration.ofSeconds(20))
                        .build());
    }
}
