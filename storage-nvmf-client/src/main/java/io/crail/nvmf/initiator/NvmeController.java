// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.QueueFactory;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller of an NVMe subsystem. When its connections are lost, or it leaves commands
 * unanswered, it is reset: all connections end and new ones are made, with growing pauses for a
 * bounded time. Commands that were certainly not executed, and reads, wait for that and go on;
 * other commands fail with {@link io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException}.
 *
 * <p>Thread-safe.
 */
public final class NvmeController implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NvmeController.class);
    private static final long EXPIRE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** What state a controller is in. */
    public enum State {
        /** Commands are sent. */
        LIVE,
        /** It is being reset; commands wait. */
        RESETTING,
        /**
         * It did not come back: commands fail. One that comes after a pause, from 1 s to 30 s, has
         * it tried again and waits for that; {@link #reset} does at once.
         */
        LOST,
        CLOSED
    }

    private final Engine engine;
    private final QueueFactory queues;
    private final InitiatorConfig config;
    private final NvmeAddress address;
    private final Consumer<NvmeController> onClose;
    private final Parking parking;
    private final OpenedNamespaces namespaces;
    private final Revival revival = new Revival();
    private final AtomicReference<State> state = new AtomicReference<>(State.RESETTING);
    private volatile @Nullable ControllerInfo info;

    /** The life that is being set up: close ends it, too. */
    private volatile @Nullable Association settingUp;

    /** A controller that is not connected; {@link #comeBack} connects it. */
    NvmeController(
            Engine engine,
            QueueFactory queues,
            InitiatorConfig config,
            NvmeAddress address,
            Consumer<NvmeController> onClose) {
        this.engine = engine;
        this.queues = queues;
        this.onClose = onClose;
        this.config = config;
        this.address = address;
        this.namespaces = new OpenedNamespaces(address);
        this.parking = new Parking(address.toString(), config.waiting());
    }

    /**
     * Sets up a life of the controller, in the calling thread, and lets it take commands.
     *
     * @throws NvmeException if that failed; nothing of it is left
     */
    void comeBack() throws NvmeException, InterruptedIOException {
        if (!setUp(AssociationSetup.Kind.ANY_WAY)) {
            boolean unused = setUp(AssociationSetup.Kind.BY_ADDRESS);
        }
    }

    /** Whether it need not be tried by address: else the Unix socket of this machine failed. */
    private boolean setUp(AssociationSetup.Kind kind) throws NvmeException, InterruptedIOException {
        Association association = new Association(engine, queues, config, this::lost);
        boolean live = false;
        settingUp = association;
        try {
            if (isClosed()) {
                throw new NvmeClosedException(address + " is closed");
            }
            AssociationSetup setup = new AssociationSetup(association, address, kind);
            try {
                setup.run();
            } catch (NvmeException e) {
                if (!setup.wasLocal()) {
                    throw e;
                }
                LOG.info("{} is not reached by its Unix socket: {}", address, e.toString());
                return false;
            }
            namespaces.check(association);
            new KeepAlive(association).start();
            new EventWatch(association, address, namespaces).start();
            info = association.info();
            live = goLive(association);
            if (!live) {
                throw new NvmeClosedException(address + " was closed meanwhile");
            }
            return true;
        } finally {
            settingUp = null;
            if (!live) {
                association.close(new NvmeConnectException("the set-up of " + address + " failed"));
            }
        }
    }

    /** Lets a life take commands; false if the controller was closed meanwhile. */
    private boolean goLive(Association association) {
        if (!state.compareAndSet(State.RESETTING, State.LIVE)) {
            return false;
        }
        revival.succeeded();
        parking.begin(association);
        if (state.get() == State.CLOSED && parking.interrupt(association)) {
            parking.close(new NvmeClosedException(address + " was closed"));
            return false;
        }
        if (association.isEnded()) {
            // It may have ended before it was the current one: then nobody has noticed.
            lost(association, new NvmeConnectionLostException(address + " was lost at once"));
        }
        return true;
    }

    /** A life ended; by the poller. */
    private void lost(Association association, NvmeException cause) {
        if (parking.interrupt(association) && state.compareAndSet(State.LIVE, State.RESETTING)) {
            LOG.warn("{} is lost and will be reset: {}", address, cause.toString());
            recover(cause, config.reconnectTimeout().toNanos());
        }
    }

    private void recover(NvmeException cause, long limitNanos) {
        if (mayNotComeBack()) {
            engine.complete(() -> giveUp(cause));
            engine.wakeup();
            return;
        }
        engine.schedule(EXPIRE_NANOS, this::expireWhileResetting);
        Thread thread = new Thread(new Recovery(this, cause, limitNanos), "crail-nvmf-recovery");
        thread.setDaemon(true);
        thread.start();
    }

    /** Whoever made it knows better where it is, and makes another one. */
    private boolean mayNotComeBack() {
        return config.reconnectTimeout().isZero();
    }

    private void expireWhileResetting() {
        expireParked();
        if (state.get() == State.RESETTING) {
            engine.schedule(EXPIRE_NANOS, this::expireWhileResetting);
        }
    }

    void expireParked() {
        parking.expire(engine.nanoTime());
    }

    /** The recovery found no way. */
    void giveUp(NvmeException cause) {
        revival.givenUp(engine.nanoTime()); // before anybody sees that it is lost
        if (state.compareAndSet(State.RESETTING, State.LOST)) {
            LOG.warn("{} is given up: {}", address, cause.getMessage());
            parking.close(cause);
        }
    }

    /**
     * Resets the controller: ends its connections and makes new ones. Returns at once; calls that
     * are made meanwhile wait. Does nothing if it is being reset or closed.
     */
    public void reset() {
        Association current = parking.current();
        if (current != null) {
            current.end(new NvmeConnectionLostException(address + " was reset by the application"));
        } else {
            revive(config.reconnectTimeout().toNanos());
        }
    }

    private void revive(long limitNanos) {
        if (state.compareAndSet(State.LOST, State.RESETTING)) {
            parking.reopen();
            recover(new NvmeConnectException(address + " was lost before"), limitNanos);
        }
    }

    /**
     * Runs what begins several calls: their commands leave in one write afterwards. Not needed by
     * completions, nor by a thread that waits for one of many futures and then begins anew.
     */
    public void together(Runnable calls) {
        engine.together(calls);
    }

    public State state() {
        return Objects.requireNonNull(state.get(), "a controller always has a state");
    }

    boolean isClosed() {
        return state.get() == State.CLOSED;
    }

    public NvmeAddress address() {
        return address;
    }

    /** What the controller said about itself when it was set up last. */
    public ControllerInfo info() {
        ControllerInfo known = info;
        if (known == null) {
            throw new IllegalStateException(address + " was never set up");
        }
        return known;
    }

    /** The ids of the namespaces that are active now, in increasing order. */
    public List<Integer> activeNamespaces() throws NvmeException, InterruptedIOException {
        return namespaces.active(live());
    }

    /**
     * Opens a namespace. After a reset it is compared with what it is now: a controller whose
     * namespace is another one does not come back.
     *
     * @throws NvmeException if it is not active, or has a format that cannot be used
     */
    public NvmeNamespace namespace(int id) throws NvmeException, InterruptedIOException {
        return new NvmeNamespace(this, namespaces.open(live(), id));
    }

    private Association live() throws NvmeException {
        Association current = parking.current();
        if (current == null) {
            throw new NvmeConnectionLostException(address + " is " + state());
        }
        return current;
    }

    /** Posts a command, now or when the controller is back. */
    void submit(RetriedCommand command) {
        if (state.get() == State.LOST && !mayNotComeBack() && revival.isDue(engine.nanoTime())) {
            revive(0);
        }
        parking.submit(command);
    }

    /** Whether a command of this thread with so many bytes would take a rider along. */
    boolean takesRiders(int bytes) {
        return parking.takesRiders(bytes);
    }

    Engine engine() {
        return engine;
    }

    InitiatorConfig config() {
        return config;
    }

    int retries() {
        return config.retries();
    }

    int maxTransferBytes() {
        return info().maxTransferBytes();
    }

    long newDeadline() {
        return engine.nanoTime() + config.operationTimeout().toNanos();
    }

    /**
     * Ends the I/O queues, lets the controller shut down if it does so in time, and closes the
     * connections. Commands under way fail. When this returns, no buffer is touched any more.
     * Idempotent.
     */
    @Override
    public void close() {
        if (state.getAndSet(State.CLOSED) == State.CLOSED) {
            return;
        }
        onClose.accept(this);
        NvmeException cause = new NvmeClosedException(address + " was closed");
        Association current = parking.current();
        parking.close(cause);
        if (current != null) {
            current.leave(cause);
        }
        Association unfinished = settingUp;
        if (unfinished != null) {
            unfinished.close(cause);
        }
    }
}
