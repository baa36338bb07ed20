// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.BytesToWrite;
import io.crail.client.spi.CompletionSource;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPathProvider;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A transport as a device with a completion queue would be: transfers are posted, nothing happens
 * until somebody polls, and no selector tells of completions. Found with ServiceLoader, as a tier's
 * client half is.
 */
public final class MemoryDataPathProvider implements DataPathProvider {
    public static final String TRANSPORT = "memory";

    private static final Map<Integer, FakeStorage> SERVERS = new ConcurrentHashMap<>();
    private static final AtomicInteger TRANSFERS = new AtomicInteger();
    private static final AtomicBoolean AT_ONCE = new AtomicBoolean();
    private static final AtomicReference<@Nullable Lending> LENDING = new AtomicReference<>();

    static void offer(FakeStorage storage) {
        SERVERS.put(storage.port(), storage);
    }

    static void withdraw(FakeStorage storage) {
        SERVERS.remove(storage.port());
    }

    /** Whether bytes move in the calling thread, without a transfer, from now on. */
    public static void moveAtOnce(boolean yes) {
        AT_ONCE.set(yes);
    }

    /** How reads are lent from now on; null: they are not. */
    public static void lend(@Nullable Lending lending) {
        LENDING.set(lending);
    }

    /** Transfers completed since the JVM started. */
    public static int transfers() {
        return TRANSFERS.get();
    }

    @Override
    public String transport() {
        return TRANSPORT;
    }

    @Override
    public DataPath open(DataPeer peer, IoContext io) {
        FakeStorage storage = SERVERS.get(peer.port());
        if (storage == null) {
            throw new IllegalStateException("no server at port " + peer.port());
        }
        MemoryPath path = new MemoryPath(storage, io);
        io.addSource(path);
        return path;
    }

    private static final class MemoryPath implements DataPath, CompletionSource {
        private final FakeStorage storage;
        private final IoContext io;
        private final ArrayDeque<BlockTransfer> posted = new ArrayDeque<>();

        MemoryPath(FakeStorage storage, IoContext io) {
            this.storage = storage;
            this.io = io;
        }

        @Override
        public boolean isAtHand(BlockReference block) {
            return AT_ONCE.get();
        }

        @Override
        public boolean writeNow(BlockReference block, int offset, BytesToWrite bytes) {
            try {
                storage.moveIn(block, offset, bytes);
                return true;
            } catch (CrailException e) {
                return false;
            }
        }

        @Override
        public boolean lendsReads() {
            return LENDING.get() != null;
        }

        @Override
        public void submit(BlockTransfer transfer) {
            synchronized (posted) {
                posted.add(transfer);
            }
        }

        @Override
        public void cancel(BlockTransfer transfer) {
            synchronized (posted) {
                posted.remove(transfer);
            }
        }

        @Override
        public int poll() {
            int done = 0;
            for (BlockTransfer next = take(); next != null; next = take()) {
                complete(next);
                done++;
            }
            return done;
        }

        private @Nullable BlockTransfer take() {
            synchronized (posted) {
                return posted.poll();
            }
        }

        private void complete(BlockTransfer transfer) {
            try {
                int[] checksums = move(transfer);
                TRANSFERS.incrementAndGet();
                transfer.completed(checksums);
            } catch (CrailException e) {
                transfer.failed(e);
            }
        }

        private int[] move(BlockTransfer transfer) throws CrailException {
            Lending lending = LENDING.get();
            return lending != null
                            && transfer instanceof BlockTransfer.Read read
                            && read.takesLoan()
                    ? lending.read(storage, read)
                    : storage.transfer(transfer);
        }

        @Override
        public boolean arm() {
            return false;
        }

        @Override
        public void close(CrailException cause) {
            io.removeSource(this);
            for (BlockTransfer next = take(); next != null; next = take()) {
                next.failed(cause);
            }
        }
    }
}
