// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.spi.BufferPool;

/** A pooled buffer with several users; goes back when the last one is done. On a strand. */
final class SharedLease {
    private final BufferPool.Lease lease;
    private int users = 1;

    SharedLease(BufferPool.Lease lease) {
        this.lease = lease;
    }

    SharedLease join() {
        users++;
        return this;
    }

    void leave() {
        users--;
        assert users >= 0;
        if (users == 0) {
            lease.close();
        }
    }
}
