// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.client.CrailTable;
import io.crail.client.PutOptions;
import io.crail.error.CancelledException;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A value that goes by itself when its time is over, and not before. */
final class ExpiryStep implements Step {
    private static final byte[] KEY = "short-lived".getBytes(StandardCharsets.UTF_8);
    private static final Duration LIFETIME = Duration.ofMillis(500);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 5;

    @Override
    public String subject() {
        return "a value with a time to live";
    }

    @Override
    public void run(Stage stage) throws IOException {
        CrailTable table = stage.client().table(KeyStep.TABLE);
        long start = System.nanoTime();
        table.put(KEY, ByteBuffer.wrap(KEY), PutOptions.DEFAULT.withLifetime(LIFETIME));
        long age = 0;
        boolean there = true;
        while (there) {
            there = table.get(KEY).isPresent();
            age = System.nanoTime() - start;
            if (!there && age < LIFETIME.toNanos()) {
                throw new CorruptDataException(
                        "the value went after " + age / 1_000_000 + " ms, before its time");
            }
            if (there && age > BOUND.toNanos()) {
                throw new CorruptDataException(
                        "the value is still there after " + BOUND.toSeconds() + " s");
            }
            pause();
        }
        stage.add(
                Measurement.time("value goes by itself", LIFETIME.toMillis() + " ms to live", age));
    }

    private static void pause() throws CancelledException {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        }
    }
}
