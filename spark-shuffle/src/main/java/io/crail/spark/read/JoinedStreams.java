// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of all streams, one behind the other: what a serialiser reads whose records may change
 * places, so that it is made once for a task and not for each of a thousand small blocks. Belongs
 * to the thread of the task.
 */
final class JoinedStreams extends InputStream {
    private final BlockStreams streams;
    private final byte[] one = new byte[1];
    private @Nullable InputStream present;
    private boolean ended;

    JoinedStreams(BlockStreams streams) {
        this.streams = streams;
    }

    @Override
    public int read() throws IOException {
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (!ended) {
            InputStream from = present;
            if (from != null) {
                int some = from.read(target, offset, length);
                if (some >= 0) {
                    return some;
                }
                from.close();
            }
            present = streams.next();
            ended = present == null;
        }
        return -1;
    }

    @Override
    public int available() throws IOException {
        InputStream from = present;
        return from == null ? 0 : from.available();
    }
}
