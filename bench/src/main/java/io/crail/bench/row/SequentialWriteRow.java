// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.measure.WarmUp;
import io.crail.bench.stage.Ring;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writing a file into blocks that were used before; each batch ends when readers can see it. */
final class SequentialWriteRow extends SequentialRow {

    private final int depth;

    private SequentialWriteRow(String name, Servers.Way way, int depth) {
        super(name, way, false);
        this.depth = depth;
    }

    static Row local() {
        return new SequentialWriteRow("seqwrite_local", Servers.Way.LOCAL, 1);
    }

    static Row overTcp() {
        return new SequentialWriteRow("seqwrite_tcp", Servers.Way.TCP, DEPTH);
    }

    @Override
    Work open(CrailClient client, BenchFile file, Stage stage) throws IOException {
        // Also the servers see few calls: they are warm after some time rather than some bytes, and
        // only in what is measured later, batch by batch.
        int bytes = stage.effort().totalBytes();
        int batch = stage.effort().batchBytes();
        WarmUp.Work work =
                number -> {
                    try (Work whole = new Writing(file.create(client, bytes), depth)) {
                        for (int done = 0; done < bytes; done += batch) {
                            whole.run(done, batch);
                        }
                    }
                    file.remove(client);
                };
        stage.longWarmUp().run(work);
        return new Writing(file.create(client, bytes), depth);
    }

    /** Parts of a file, in order. */
    private static final class Writing implements Work {
        private final CrailOutputStream out;
        private final ByteBuffer[] buffers;

        Writing(CrailOutputStream out, int depth) {
            this.out = out;
            this.buffers = BenchFile.buffers(depth, BenchFile.BUFFER);
        }

        @Override
        public void run(long position, int bytes) throws IOException {
            Ring ring = new Ring(buffers.length);
            for (long done = 0; done < bytes; done += BenchFile.BUFFER) {
                if (buffers.length == 1) {
                    out.append(buffers[0].clear());
                } else {
                    ring.add(slot -> out.appendAsync(buffers[slot].clear()));
                }
            }
            ring.drain();
            out.sync();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
