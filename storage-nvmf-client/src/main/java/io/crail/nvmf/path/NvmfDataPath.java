// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.layout.FlashEndpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One storage server of the flash tier for one session.
 *
 * <p><b>Life.</b> Connects with the first transfer, on a thread made for that, and again with the
 * next transfer after a connection was lost; transfers wait meanwhile. A transfer is never repeated
 * here: only the caller knows whether that is worth while.
 *
 * <p><b>Threads.</b> Transfers begin where they are submitted or, if they waited, on the connecting
 * thread; they end on threads of the fabric. All methods may be called by any thread. Transfers
 * that wait are bounded by those who submit. The lock guards the state and is held for no call that
 * leaves this package.
 */
final class NvmfDataPath implements DataPath {
    private static final Logger LOG = LoggerFactory.getLogger(NvmfDataPath.class);

    /** Blocks whose records are kept for reading: 2 MiB of heap for 2 GiB of data. */
    private static final int CACHED_RECORDS = 2048;

    private final DataPeer peer;
    private final SharedFabrics fabrics;
    private final FlashDialer dialer;
    private final ConcurrentMap<BlockTransfer, FlashJob> jobs = new ConcurrentHashMap<>();
    private volatile boolean interrupted;

    /** Guarded by this, as are all that follow. */
    private @Nullable FlashLink link;

    private boolean connecting;
    private @Nullable CrailException closed;
    private List<FlashJob> waiting = new ArrayList<>();

    NvmfDataPath(DataPeer peer, IoContext io, SharedFabrics fabrics) {
        this.peer = peer;
        this.fabrics = fabrics;
        this.dialer = new FlashDialer(peer, io, new RecordCache(CACHED_RECORDS));
    }

    @Override
    public void submit(BlockTransfer transfer) {
        FlashJob job =
                transfer instanceof BlockTransfer.Write write
                        ? new WriteJob(write, this::ended)
                        : new ReadJob(transfer, this::ended);
        jobs.put(transfer, job);
        FlashLink usable;
        CrailException refusal;
        synchronized (this) {
            usable = link;
            refusal = closed;
            if (usable == null && refusal == null) {
                job.delayed();
                waiting.add(job);
                connect();
            }
        }
        if (refusal != null) {
            job.fail(refusal);
        } else if (usable != null) {
            begin(job, usable);
        }
    }

    private static void begin(FlashJob job, FlashLink link) {
        try {
            link.check(job.block());
        } catch (CrailException e) {
            job.fail(e);
            return;
        }
        link.begin(job);
    }

    private void ended(FlashJob job) {
        jobs.remove(job.transfer());
    }

    /** Begins to connect, unless that is under way. With the lock. */
    private void connect() {
        if (connecting) {
            return;
        }
        connecting = true;
        Thread thread = new Thread(this::dial, "crail-nvmf-connect");
        thread.setDaemon(true);
        thread.start();
    }

    private void dial() {
        FlashEndpoint endpoint;
        Fabric fabric;
        try {
            endpoint = dialer.endpoint();
            fabric = fabrics.acquire(endpoint.fabric());
        } catch (NvmeException e) {
            failed(Failures.of(peer.toString(), e));
            return;
        } catch (CrailException e) {
            failed(e);
            return;
        }
        try {
            connected(dialer.dial(fabric, endpoint, this::lost));
        } catch (CrailException e) {
            fabrics.release(endpoint.fabric());
            failed(e);
        } catch (RuntimeException e) {
            fabrics.release(endpoint.fabric());
            LOG.error("A fault of this client ends the connection to {}", peer, e);
            failed(new InternalException(peer + ": " + e, e));
        }
    }

    private void connected(FlashLink made) {
        List<FlashJob> released;
        CrailException late;
        synchronized (this) {
            connecting = false;
            late = closed;
            if (late == null) {
                link = made;
            }
            released = takeWaiting();
        }
        if (late != null) {
            leave(made, late);
            released.forEach(job -> job.fail(late));
            return;
        }
        LOG.debug("Connected to {}", peer);
        released.forEach(job -> begin(job, made));
    }

    private void failed(CrailException cause) {
        List<FlashJob> stranded;
        synchronized (this) {
            connecting = false;
            stranded = takeWaiting();
        }
        interrupted = true;
        stranded.forEach(job -> job.fail(cause));
    }

    private List<FlashJob> takeWaiting() {
        List<FlashJob> taken = waiting;
        waiting = new ArrayList<>();
        return taken;
    }

    /** A connection is of no use any more: the next transfer makes another one. */
    private void lost(FlashLink which) {
        synchronized (this) {
            if (link != which) {
                return;
            }
            dialer.left(which.leftover()); // Before anybody begins to dial.
            link = null;
        }
        interrupted = true;
        LOG.debug("Lost the connection to {}", peer);
        // Not here: this is a thread of the fabric, and closing waits for it.
        Thread thread = new Thread(() -> leave(which, null), "crail-nvmf-close");
        thread.setDaemon(true);
        thread.start();
    }

    private void leave(FlashLink which, @Nullable CrailException cause) {
        which.close(cause);
        fabrics.release(which.endpoint().fabric());
    }

    @Override
    public boolean lendsReads() {
        FlashLink usable;
        synchronized (this) {
            usable = link;
        }
        return usable != null && usable.sharesMemory();
    }

    @Override
    public boolean wasInterrupted() {
        return interrupted;
    }

    @Override
    public void cancel(BlockTransfer transfer) {
        FlashJob job = jobs.remove(transfer);
        if (job == null) {
            return;
        }
        synchronized (this) {
            waiting.remove(job);
        }
        job.cancel();
    }

    @Override
    public void close(CrailException cause) {
        FlashLink last;
        List<FlashJob> stranded;
        synchronized (this) {
            if (closed != null) {
                return;
            }
            closed = cause;
            last = link;
            link = null;
            stranded = takeWaiting();
        }
        stranded.forEach(job -> job.fail(cause));
        if (last != null) {
            leave(last, cause);
        }
        // What a command's end had not reached yet: its buffers are at rest now.
        List.copyOf(jobs.values()).forEach(job -> job.fail(cause));
    }
}
