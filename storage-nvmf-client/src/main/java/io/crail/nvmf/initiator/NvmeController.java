// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeNamespaceChangedException;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.identify.NamespaceList;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A controller of an NVMe subsystem, reached over TCP. When its connections are lost, or it leaves
 * commands unanswered, it is reset: all connections end and new ones are made, with growing pauses
 * for a bounded time. Commands that were certainly not executed, and reads, wait for that and go
 * on; other commands fail with {@link io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException}.
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
        /** It did not come back; commands fail until {@link #reset} succeeds. */
        LOST,
        CLOSED
    }

    private final Engine engine;
    private final InitiatorConfig config;
    private final NvmeAddress address;
    private final Consumer<NvmeController> onClose;
    private final Parking parking;
    private final Map<Integer, NamespaceInfo> opened = new ConcurrentHashMap<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.RESETTING);
    private volatile @Nullable ControllerInfo info;

    /** The life that is being set up: close ends it, too. */
    private volatile @Nullable Association settingUp;

    /** A controller that is not connected; {@link #comeBack} connects it. */
    NvmeController(
            Engine engine,
            InitiatorConfig config,
            NvmeAddress address,
            Consumer<NvmeController> onClose) {
        this.engine = engine;
        this.onClose = onClose;
        this.config = config;
        this.address = address;
        this.parking = new Parking(address.toString(), config.waiting());
    }

    /**
     * Sets up a life of the controller, in the calling thread, and lets it take commands.
     *
     * @throws NvmeException if that failed; nothing of it is left
     */
    void comeBack() throws NvmeException, InterruptedIOException {
        Association association = new Association(engine, config, this::lost);
        boolean live = false;
        settingUp = association;
        try {
            if (isClosed()) {
                throw new NvmeClosedException(address + " is closed");
            }
            new AssociationSetup(association, address, false).run();
            checkNamespaces(association);
            new KeepAlive(association).start();
            info = association.info();
            live = goLive(association);
            if (!live) {
                throw new NvmeClosedException(address + " was closed meanwhile");
            }
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

    private void checkNamespaces(Association association)
            throws NvmeException, InterruptedIOException {
        for (NamespaceInfo before : opened.values()) {
            NamespaceInfo now = identifyNamespace(association, before.id());
            if (!now.continues(before)) {
                throw new NvmeNamespaceChangedException(
                        "namespace "
                                + before.id()
                                + " of "
                                + address
                                + " was "
                                + before
                                + " and now is "
                                + now);
            }
        }
    }

    /** A life ended; by the poller. */
    private void lost(Association association, NvmeException cause) {
        if (parking.interrupt(association) && state.compareAndSet(State.LIVE, State.RESETTING)) {
            LOG.warn("{} is lost and will be reset: {}", address, cause.toString());
            recover(cause);
        }
    }

    private void recover(NvmeException cause) {
        engine.schedule(EXPIRE_NANOS, this::expireWhileResetting);
        Thread thread = new Thread(new Recovery(this, cause), "crail-nvmf-recovery");
        thread.setDaemon(true);
        thread.start();
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
        } else if (state.compareAndSet(State.LOST, State.RESETTING)) {
            parking.reopen();
            recover(new NvmeConnectException(address + " was lost before"));
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
        List<Integer> ids = new ArrayList<>();
        ByteBuffer data = ByteBuffer.allocateDirect(IdentifyCommand.DATA_SIZE);
        int count = NamespaceList.MAX_IDS;
        int last = 0;
        while (count == NamespaceList.MAX_IDS) {
            int above = last;
            live().adminNow(
                            "Identify active namespaces",
                            DataDirection.CONTROLLER_TO_HOST,
                            data,
                            (buffer, at, id) ->
                                    IdentifyCommand.encode(
                                            buffer,
                                            at,
                                            id,
                                            above,
                                            IdentifyCommand.ACTIVE_NAMESPACES));
            count = NamespaceList.count(data, 0);
            for (int i = 0; i < count; i++) {
                int id = NamespaceList.id(data, 0, i);
                if (Integer.compareUnsigned(id, last) <= 0) {
                    throw new NvmeConnectException(
                            address + " lists namespace " + id + " behind " + last);
                }
                ids.add(id);
                last = id;
            }
        }
        return ids;
    }

    /**
     * Opens a namespace. After a reset it is compared with what it is now: a controller whose
     * namespace is another one does not come back.
     *
     * @throws NvmeException if it is not active, or has a format that cannot be used
     */
    public NvmeNamespace namespace(int id) throws NvmeException, InterruptedIOException {
        NamespaceInfo found = identifyNamespace(live(), id);
        NamespaceInfo before = opened.putIfAbsent(id, found);
        if (before != null && !found.continues(before)) {
            throw new NvmeNamespaceChangedException(
                    "namespace "
                            + id
                            + " of "
                            + address
                            + " was "
                            + before
                            + " and now is "
                            + found);
        }
        return new NvmeNamespace(this, found);
    }

    private static NamespaceInfo identifyNamespace(Association association, int namespaceId)
            throws NvmeException, InterruptedIOException {
        ByteBuffer data = identify(association, namespaceId, IdentifyCommand.NAMESPACE);
        ByteBuffer descriptors =
                identify(association, namespaceId, IdentifyCommand.NAMESPACE_DESCRIPTORS);
        return NamespaceInfo.of(namespaceId, data, descriptors);
    }

    private static ByteBuffer identify(Association association, int namespaceId, int structure)
            throws NvmeException, InterruptedIOException {
        ByteBuffer data = ByteBuffer.allocateDirect(IdentifyCommand.DATA_SIZE);
        association.adminNow(
                "Identify " + structure + " of namespace " + namespaceId,
                DataDirection.CONTROLLER_TO_HOST,
                data,
                (buffer, at, id) -> IdentifyCommand.encode(buffer, at, id, namespaceId, structure));
        return data;
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
        parking.submit(command);
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
     * Closes the connections. Commands under way fail. When this returns, no buffer is touched any
     * more. Idempotent.
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
        close(current, cause);
        close(settingUp, cause);
    }

    private static void close(@Nullable Association association, NvmeException cause) {
        if (association != null) {
            try {
                association.close(cause);
            } catch (InterruptedIOException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
