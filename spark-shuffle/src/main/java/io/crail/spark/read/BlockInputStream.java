// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import java.io.IOException;
import java.io.InputStream;

/** The bytes of the stream that a fetcher stands at. Belongs to the thread of the task. */
final class BlockInputStream extends InputStream {
    private final BlockFetcher fetcher;
    private final byte[] one = new byte[1];

    BlockInputStream(BlockFetcher fetcher) {
        this.fetcher = fetcher;
    }

    @Override
    public int read() throws IOException {
        return fetcher.read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return fetcher.read(target, offset, length);
    }

    @Override
    public int available() {
        return fetcher.available();
    }
}
