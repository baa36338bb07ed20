// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage;

import io.crail.error.CrailException;

/** Runs a storage server as the purpose of a process. */
public final class StorageMain {
    private StorageMain() {}

    /**
     * Starts a server and blocks until it ends by itself. A signal that ends the JVM closes it in
     * order.
     *
     * @throws CrailException if it cannot start, or has to give up
     */
    public static void run(StorageConfig config) throws CrailException {
        try (StorageServer server = StorageServer.start(config)) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(server::close, "crail-storage-shutdown"));
            server.awaitEnd();
        }
    }
}
