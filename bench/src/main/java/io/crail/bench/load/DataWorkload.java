// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.limit.Peer;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads or writes of one thread, in files that it makes. */
final class DataWorkload implements Workload {
    private static final int FILL = 1 << 20;

    private final CrailClient client;
    private final Peer peer;
    private final DataSpec spec;
    private final String path;

    /** Closed from the last to the first one. */
    private final List<AutoCloseable> resources = new ArrayList<>();

    private @Nullable Work work;

    /** Takes the client over. */
    DataWorkload(CrailClient client, Peer peer, DataSpec spec, String path) {
        this.client = client;
        this.peer = peer;
        this.spec = spec;
        this.path = path;
        resources.add(client);
    }

    /** Makes the files, warm; returns whether their bytes went the way that they should. */
    boolean open() throws IOException {
        if (spec.operation().reads()) {
            fill();
            CrailFile file = client.open(path);
            resources.add(file);
            work = new Reading(file, spec).work();
        } else {
            Writing writing = new Writing(client, path, spec);
            resources.add(writing);
            writing.warm();
            work = writing.work();
        }
        return Forced.data(client, spec.way());
    }

    private void fill() throws IOException {
        ByteBuffer buffer = Buffers.full(1, FILL)[0];
        CreateOptions options =
                CreateOptions.builder()
                        .checksums(spec.checksums())
                        .expectedBytes(spec.fileBytes())
                        .build();
        try (CrailOutputStream out = client.createFile(path, options)) {
            for (long done = 0; done < spec.fileBytes(); done += FILL) {
                out.append(buffer.clear().limit((int) Math.min(FILL, spec.fileBytes() - done)));
            }
        }
    }

    @Override
    public Work limit(int thread) throws IOException {
        return spec.limit(peer, resources);
    }

    @Override
    public Work product(int thread) throws IOException {
        if (work == null) {
            throw new InternalException("the files of the benchmark are not open");
        }
        return work;
    }

    @Override
    public void close() throws IOException {
        Resources.close(resources);
    }
}
