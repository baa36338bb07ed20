// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.spi.BufferPool;
import java.util.concurrent.atomic.AtomicBoolean;

/** Lets a writer know when others need memory, on its strand, once at a time. Thread-safe. */
final class PressureRelief implements Runnable {
    private final WriterContext context;
    private final Runnable relieve;
    private final AtomicBoolean pending = new AtomicBoolean();

    private PressureRelief(WriterContext context, Runnable relieve) {
        this.context = context;
        this.relieve = relieve;
    }

    static PressureRelief begin(WriterContext context, Runnable relieve) {
        PressureRelief relief = new PressureRelief(context, relieve);
        relief.pool().addPressureListener(relief);
        return relief;
    }

    private BufferPool pool() {
        return context.engine().buffers();
    }

    /** Called by the pool, in any thread. */
    @Override
    public void run() {
        if (pending.compareAndSet(false, true)) {
            context.strand()
                    .execute(
                            () -> {
                                pending.set(false);
                                relieve.run();
                            });
        }
    }

    void end() {
        pool().removePressureListener(this);
    }
}
