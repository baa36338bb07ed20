// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.serve;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.nvmf.target.NvmeTarget;
import io.crail.protocol.launch.RunningTarget;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A target with one namespace. Thread-safe. */
final class FileTarget implements RunningTarget {
    private static final Logger LOG = LoggerFactory.getLogger(FileTarget.class);

    private final NvmeTarget target;
    private final InetSocketAddress address;
    private final Path file;
    private final CountDownLatch closed = new CountDownLatch(1);

    private FileTarget(NvmeTarget target, InetSocketAddress address, Path file) {
        this.target = target;
        this.address = address;
        this.file = file;
    }

    /** Closes the target if it does not listen any more. */
    static FileTarget of(NvmeTarget target, Path file) throws IOException {
        boolean done = false;
        try {
            FileTarget made = new FileTarget(target, target.address(), file);
            done = true;
            return made;
        } finally {
            if (!done) {
                target.close();
            }
        }
    }

    @Override
    public String address() {
        return ListenAddress.text(address);
    }

    @Override
    public Optional<String> statusUrl() {
        return Optional.empty();
    }

    @Override
    public Optional<String> warning() {
        return address.getAddress().isLoopbackAddress()
                ? Optional.empty()
                : Optional.of(
                        "NVMe/TCP is neither authenticated nor encrypted here: whoever can reach "
                                + address()
                                + " can take the name of any host, and read and write all of "
                                + file);
    }

    @Override
    public long bytes() {
        return target.medium(1).bytes();
    }

    /** It does not end by itself. */
    @Override
    public void awaitEnd() throws CrailException {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        }
    }

    @Override
    public void close() {
        // Whoever is interrupted has a target to end, too, and that waits for its threads.
        boolean interrupted = Thread.interrupted();
        try {
            target.close();
        } catch (IOException e) {
            LOG.warn("The target did not end in order: {}", e.getMessage());
        } finally {
            closed.countDown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
