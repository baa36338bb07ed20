// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import com.ibm.disni.verbs.RdmaCmEvent;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.queue.QueueSettings;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How a connection is made and lost, step by step, as the events of its connection manager tell.
 * Owned by the poller; it is set up before the poller knows the queue.
 */
final class ConnectionSteps {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final RdmaCmEvent.EventType[] TYPES = RdmaCmEvent.EventType.values();

    private final RdmaQueue queue;
    private final QueueSettings settings;
    private final int queueId;
    private final int dataBytes;
    private @Nullable InetSocketAddress peer;
    private long beganAt;
    private String awaited = "address";
    private @Nullable VerbsConnection connection;
    private @Nullable QueueMemory memory;
    private long nextLook;

    ConnectionSteps(RdmaQueue queue, QueueSettings settings, int queueId, int dataBytes) {
        this.queue = queue;
        this.settings = settings;
        this.queueId = queueId;
        this.dataBytes = dataBytes;
    }

    void setPeer(InetSocketAddress address, long now) {
        peer = address;
        beganAt = now;
    }

    /** Of an open queue. */
    VerbsConnection connection() {
        VerbsConnection known = connection;
        if (known == null) {
            throw new IllegalStateException(queue.name() + " was never connected");
        }
        return known;
    }

    /** Makes the next step if it is time; whether it was. */
    boolean look(long now) {
        try {
            VerbsConnection current = connection;
            if (current == null) {
                begin();
                return true;
            }
            int event = current.nextEvent();
            if (event >= 0) {
                handle(current, event);
                return true;
            }
        } catch (IOException e) {
            refuse(Objects.requireNonNullElse(e.getMessage(), "no reason known"), e);
            return true;
        }
        if (now - beganAt >= settings.connectTimeoutNanos()) {
            refuse(
                    "no "
                            + awaited
                            + " within "
                            + TimeUnit.NANOSECONDS.toMillis(settings.connectTimeoutNanos())
                            + " ms",
                    null);
        }
        return false;
    }

    private void begin() throws IOException {
        InetSocketAddress address = peer;
        if (address == null || !(address.getAddress() instanceof Inet4Address)) {
            throw new IOException("RDMA here knows addresses of IPv4 only");
        }
        connection =
                VerbsConnection.begin(
                        queue.name(), address, RdmaQueue.millis(settings.connectTimeoutNanos()));
    }

    private void handle(VerbsConnection current, int event) throws IOException {
        switch (type(event)) {
            case RDMA_CM_EVENT_ADDR_RESOLVED -> {
                awaited = "route";
                current.resolveRoute(RdmaQueue.millis(settings.connectTimeoutNanos()));
            }
            case RDMA_CM_EVENT_ROUTE_RESOLVED -> {
                awaited = "connection";
                memory = current.allocate(settings.places(), dataBytes);
                current.connect(queueId, settings.places());
            }
            case RDMA_CM_EVENT_ESTABLISHED -> {
                QueueMemory ready = memory;
                if (ready == null) {
                    throw new IOException("connected before it had asked");
                }
                queue.connected(ready);
            }
            case RDMA_CM_EVENT_REJECTED ->
                    throw new IOException(
                            "refused: nobody listens there, or the target has no room for the"
                                    + " queue");
            case RDMA_CM_EVENT_ADDR_ERROR,
                    RDMA_CM_EVENT_ROUTE_ERROR,
                    RDMA_CM_EVENT_CONNECT_ERROR,
                    RDMA_CM_EVENT_UNREACHABLE,
                    RDMA_CM_EVENT_DISCONNECTED,
                    RDMA_CM_EVENT_DEVICE_REMOVAL ->
                    throw new IOException("no " + awaited + ": " + type(event));
            default -> {}
        }
    }

    private static RdmaCmEvent.EventType type(int event) {
        // What is not known is not waited for.
        return event < TYPES.length
                ? TYPES[event]
                : RdmaCmEvent.EventType.RDMA_CM_EVENT_TIMEWAIT_EXIT;
    }

    private void refuse(String why, @Nullable IOException cause) {
        queue.giveUp(
                new NvmeConnectException(
                        queue.name() + " cannot connect to " + peer + " by RDMA: " + why, cause));
    }

    /** Of an open queue: whether the peer or the device has gone. */
    void lookForLoss(long now) {
        if (now - nextLook < 0) {
            return;
        }
        nextLook = now + LOOK_NANOS;
        try {
            int event = connection().nextEvent();
            if (event < 0) {
                return;
            }
            RdmaCmEvent.EventType type = type(event);
            if (type == RdmaCmEvent.EventType.RDMA_CM_EVENT_DISCONNECTED
                    || type == RdmaCmEvent.EventType.RDMA_CM_EVENT_DEVICE_REMOVAL) {
                queue.giveUp(
                        new NvmeConnectionLostException(
                                queue.name() + " lost its connection: " + type));
            }
        } catch (IOException e) {
            queue.giveUp(queue.lost("lost its connection", e));
        }
    }

    /** Ends what there is of the connection: the device touches no memory after this. */
    void close() {
        VerbsConnection current = connection;
        connection = null;
        if (current != null) {
            current.close();
        }
    }
}
