// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A fake namenode with fake storage servers, listening. */
public final class FakeCluster implements AutoCloseable {
    private final FakeNamenode namenode;

    public FakeCluster(int servers) throws IOException {
        namenode = new FakeNamenode(servers);
        for (FakeStorage storage : namenode.storages()) {
            storage.start();
        }
        namenode.start();
    }

    public FakeNamenode namenode() {
        return namenode;
    }

    public FakeStorage storage(int index) {
        return namenode.storages().get(index);
    }

    /** A configuration for this cluster, with a deadline that tests can wait for. */
    public ClientConfig.Builder config() {
        return ClientConfig.builder()
                .namenodes(List.of(namenode.endpoint()))
                .deadline(Duration.ofSeconds(20))
                .connectTimeout(Duration.ofSeconds(5))
                .clientName("test");
    }

    public CrailClient connect() throws CrailException {
        return CrailClient.connect(config().build());
    }

    @Override
    public void close() throws IOException {
        namenode.close();
        for (FakeStorage storage : namenode.storages()) {
            storage.close();
            MemoryDataPathProvider.withdraw(storage);
        }
    }
}
