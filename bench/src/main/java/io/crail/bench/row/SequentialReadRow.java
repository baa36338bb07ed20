// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.stage.Ring;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reading a file from its first to its last byte. */
final class SequentialReadRow extends SequentialRow {
    private final int depth;

    private SequentialReadRow(String name, Servers.Way way, int depth) {
        super(name, way, true);
        this.depth = depth;
    }

    static Row local() {
        return new SequentialReadRow("seqread_local", Servers.Way.LOCAL, 1);
    }

    static Row overTcp() {
        return new SequentialReadRow("seqread_tcp", Servers.Way.TCP, DEPTH);
    }

    @Override
    Work open(CrailClient client, BenchFile file, Stage stage) throws IOException {
        int bytes = stage.effort().totalBytes();
        file.fill(client, bytes);
        Reading reading = new Reading(client.open(file.path()), depth);
        boolean warm = false;
        try {
            stage.longWarmUp().run(number -> reading.run(0, bytes));
            warm = true;
            return reading;
        } finally {
            if (!warm) {
                reading.close();
            }
        }
    }

    /** Parts of an open file. */
    private static final class Reading implements Work {
        private final CrailFile file;
        private final ByteBuffer[] buffers;

        Reading(CrailFile file, int depth) {
            this.file = file;
            this.buffers = BenchFile.buffers(depth, BenchFile.BUFFER);
        }

        @Override
        public void run(long position, int bytes) throws IOException {
            Ring ring = new Ring(buffers.length);
            for (long done = 0; done < bytes; done += BenchFile.BUFFER) {
                long at = position + done;
                if (buffers.length == 1) {
                    file.readFully(at, buffers[0].clear());
                } else {
                    ring.add(slot -> file.readAsync(at, buffers[slot].clear()));
                }
            }
            ring.drain();
            for (ByteBuffer buffer : buffers) {
                if (buffer.hasRemaining()) {
                    throw new InternalException("read " + file.path() + ": it was a short one");
                }
            }
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
