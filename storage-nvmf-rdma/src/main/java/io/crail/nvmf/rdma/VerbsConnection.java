// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verbs objects of one connection, made step by step: address, route, queue pair with its
 * memory, connection. Owned by the poller; only {@link #memory} is used by others, who post under
 * the lock of the queue, which keeps this open meanwhile.
 *
 * <p>It has an event channel and a protection domain of its own: DiSNI forgets no connection of a
 * channel before the channel goes, and looks connections up without a lock.
 *
 * <p>Closing destroys the queue pair first. From then on the device touches no memory, and only
 * then is memory deregistered.
 */
final class VerbsConnection {
    private static final Logger LOG = LoggerFactory.getLogger(VerbsConnection.class);

    /** What the device and its peer do by themselves before a connection breaks: all they can. */
    private static final byte RETRIES = 7;

    private static final int COMPLETIONS_AT_A_TIME = 32;

    private final String name;
    private final RdmaEventChannel events;
    private final RdmaCmId id;
    private final IbvWC[] completions = new IbvWC[COMPLETIONS_AT_A_TIME];
    private @Nullable IbvPd domain;
    private @Nullable IbvCompChannel channel;
    private @Nullable IbvCQ completionQueue;
    private @Nullable SVCPollCq poll;
    private @Nullable QueueMemory memory;

    private VerbsConnection(String name, RdmaEventChannel events, RdmaCmId id) {
        this.name = name;
        this.events = events;
        this.id = id;
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new IbvWC();
        }
    }

    /** Begins with resolving an address of IPv4; events tell how it goes on. */
    static VerbsConnection begin(String name, InetSocketAddress peer, int timeoutMillis)
            throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        VerbsConnection connection = null;
        boolean begun = false;
        try {
            RdmaCmId id = events.createId(RdmaCm.RDMA_PS_TCP);
            connection = new VerbsConnection(name, events, id);
            id.resolveAddr(null, peer, timeoutMillis);
            begun = true;
            return connection;
        } finally {
            if (!begun) {
                if (connection != null) {
                    connection.close();
                } else {
                    int unused = events.destroyEventChannel();
                }
            }
        }
    }

    /** The type of an event that has come, or -1. */
    int nextEvent() throws IOException {
        RdmaCmEvent event = events.getCmEvent(0);
        return event == null ? -1 : event.getEvent();
    }

    void resolveRoute(int timeoutMillis) throws IOException {
        id.resolveRoute(timeoutMillis);
    }

    /**
     * Makes the queue pair and its memory, ready for answers.
     *
     * @param commands at a time
     */
    QueueMemory allocate(int commands, int dataBytes) throws IOException {
        IbvContext device = id.getVerbs();
        if (device == null) {
            throw new IOException("the address has no RDMA device");
        }
        IbvPd newDomain = device.allocPd();
        domain = newDomain;
        channel = device.createCompChannel();
        int answers = commands + 1;
        IbvCQ queue = device.createCQ(channel, commands + answers, 0);
        completionQueue = queue;
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        attributes.cap().setMax_send_wr(commands);
        attributes.cap().setMax_recv_wr(answers);
        IbvQP pair = id.createQP(newDomain, attributes);
        poll = queue.poll(completions, completions.length);
        QueueMemory made = QueueMemory.register(newDomain, commands, answers, dataBytes);
        memory = made;
        made.prepare(pair);
        return made;
    }

    /** Asks the controller for the connection. */
    void connect(int queueId, int commands) throws IOException {
        ByteBuffer request = ByteBuffer.allocateDirect(ConnectRequest.SIZE);
        // An entry more than commands, as in the queue of the controller.
        ConnectRequest.encode(request, 0, queueId, commands + 1, commands + 1);
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setPrivate_data(MemoryUtils.getAddress(request));
        parameters.setPrivate_data_len((byte) ConnectRequest.SIZE);
        parameters.setRetry_count(RETRIES);
        parameters.setRnr_retry_count(RETRIES);
        try {
            id.connect(parameters);
        } finally {
            Reference.reachabilityFence(request);
        }
    }

    /** Takes completions that are there; how many. */
    int poll() throws IOException {
        SVCPollCq call = poll;
        return call == null ? 0 : call.execute().getPolls();
    }

    /** The completions of the last {@link #poll}. */
    IbvWC completion(int index) {
        return completions[index];
    }

    /** Ends it all. What fails is logged, and the rest goes on. Once. */
    void close() {
        step("disconnect", id::disconnect);
        step("destroy the queue pair", id::destroyQP);
        QueueMemory registered = memory;
        if (registered != null) {
            step("deregister memory", registered::close);
        }
        SVCPollCq call = poll;
        if (call != null) {
            step("free the poll", call::free);
        }
        IbvCQ queue = completionQueue;
        if (queue != null) {
            step("destroy the completion queue", queue::destroyCQ);
        }
        IbvCompChannel completionChannel = channel;
        if (completionChannel != null) {
            step("destroy the completion channel", completionChannel::destroyCompChannel);
        }
        IbvPd protection = domain;
        if (protection != null) {
            step("free the protection domain", protection::deallocPd);
        }
        step("destroy the connection", id::destroyId);
        step("destroy the event channel", events::destroyEventChannel);
    }

    /** Part of the end. */
    @FunctionalInterface
    private interface Step {
        // Exception is what DiSNI declares.
        Object run() throws Exception;
    }

    private void step(String what, Step step) {
        try {
            Object result = step.run();
            LOG.debug("{}: {}: {}", name, what, result);
        } catch (Exception e) {
            LOG.warn("{}: could not {}", name, what, e);
        }
    }
}
