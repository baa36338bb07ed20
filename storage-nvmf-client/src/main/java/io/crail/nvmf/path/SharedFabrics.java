// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.initiator.error.NvmeException;
import java.util.HashMap;
import java.util.Map;

/** One fabric of each scheme, with its threads, for as long as any path uses it. Thread-safe. */
final class SharedFabrics {
    private static final class Shared {
        final Fabric fabric;
        int users;

        Shared(Fabric fabric) {
            this.fabric = fabric;
        }
    }

    private final Map<String, Shared> open = new HashMap<>();

    /** The fabric of a scheme; the caller owes a {@link #release}. */
    synchronized Fabric acquire(String scheme) throws NvmeException {
        Shared shared = open.get(scheme);
        if (shared == null) {
            shared = new Shared(Fabrics.open(scheme));
            open.put(scheme, shared);
        }
        shared.users++;
        return shared.fabric;
    }

    void release(String scheme) {
        Fabric idle = null;
        synchronized (this) {
            Shared shared = open.get(scheme);
            if (shared == null) {
                throw new IllegalStateException("nobody has acquired " + scheme);
            }
            shared.users--;
            if (shared.users == 0) {
                idle = shared.fabric;
                open.remove(scheme);
            }
        }
        if (idle != null) {
            idle.close();
        }
    }
}
