// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The standard output of this process. Once it could not be written it stays so, lest a result with
 * a gap look complete. Not thread-safe: for the {@link java.io.PrintStream} above it.
 */
final class WatchedOutput extends OutputStream {
    private static final int TYPE = 0170000;
    private static final int FIFO = 0010000;
    private static final int SOCKET = 0140000;

    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException failure;

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        if (failure == null) {
            try {
                out.write(bytes, offset, length);
                return;
            } catch (IOException e) {
                failure = e;
            }
        }
        // A new one each time: the first may be on its way up when what it passes fails again.
        throw new OutputException(hasReader(), failure);
    }

    /** Whether it is a pipe or a socket; writing to one fails when its reader has gone. */
    private static boolean hasReader() {
        try {
            int mode = (Integer) Files.getAttribute(Path.of("/proc/self/fd/1"), "unix:mode");
            return (mode & TYPE) == FIFO || (mode & TYPE) == SOCKET;
        } catch (IOException e) {
            return false;
        }
    }
}
