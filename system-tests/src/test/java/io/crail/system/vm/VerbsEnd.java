// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One end of a connection by DiSNI's verbs, with an event channel of its own and one registered
 * buffer. For one thread. Every wait has a bound.
 */
final class VerbsEnd {
    static final int BUFFER_BYTES = 8192;

    private static final int ALL_ACCESS =
            IbvMr.IBV_ACCESS_LOCAL_WRITE
                    | IbvMr.IBV_ACCESS_REMOTE_WRITE
                    | IbvMr.IBV_ACCESS_REMOTE_READ;
    private static final RdmaCmEvent.EventType[] TYPES = RdmaCmEvent.EventType.values();
    private static final int RESOLVE_MILLIS = 10_000;
    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int COMPLETIONS = 8;

    final RdmaEventChannel events;
    final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    RdmaCmId id;
    IbvPd domain;
    IbvCompChannel channel;
    IbvCQ queue;
    IbvQP pair;
    IbvMr region;

    // Allocate sets the others, before anything uses them.
    @SuppressWarnings("NullAway.Init")
    private VerbsEnd(RdmaEventChannel events, RdmaCmId id) {
        this.events = events;
        this.id = id;
    }

    static VerbsEnd create() throws IOException {
        RdmaEventChannel events = RdmaEventChannel.createEventChannel();
        return new VerbsEnd(events, events.createId(RdmaCm.RDMA_PS_TCP));
    }

    /** Takes the next event, which must be of that type; the connection that it is about. */
    RdmaCmId await(RdmaCmEvent.EventType type) throws IOException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < BOUND_NANOS) {
            RdmaCmEvent event = events.getCmEvent(200);
            if (event != null) {
                event.ackEvent();
                VerbsMain.check(
                        TYPES[event.getEvent()] == type,
                        "event " + event.getEvent() + " instead of " + type);
                return event.getConnIdPriv();
            }
        }
        throw new AssertionError("no " + type);
    }

    void resolve(InetSocketAddress peer) throws IOException {
        id.resolveAddr(null, peer, RESOLVE_MILLIS);
        VerbsMain.check(
                await(RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED) == id,
                "the event is of another connection");
        id.resolveRoute(RESOLVE_MILLIS);
        await(RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    }

    /** Makes all that a connection needs. */
    void allocate() throws IOException {
        domain = id.getVerbs().allocPd();
        channel = id.getVerbs().createCompChannel();
        queue = id.getVerbs().createCQ(channel, 16, 0);
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        attributes.cap().setMax_send_wr(8);
        attributes.cap().setMax_recv_wr(8);
        pair = id.createQP(domain, attributes);
        region = domain.regMr(buffer, ALL_ACCESS).execute().free().getMr();
    }

    static RdmaConnParam parameters() throws IOException {
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count((byte) 7);
        parameters.setRnr_retry_count((byte) 7);
        return parameters;
    }

    // DiSNI asks for this class.
    @SuppressWarnings({"NonApiType", "JdkObsolete"})
    private LinkedList<IbvSge> part(int offset, int length) {
        IbvSge element = new IbvSge();
        element.setAddr(region.getAddr() + offset);
        element.setLength(length);
        element.setLkey(region.getLkey());
        LinkedList<IbvSge> list = new LinkedList<>();
        list.add(element);
        return list;
    }

    void receive(long request, int offset, int length) throws IOException {
        IbvRecvWR receive = new IbvRecvWR();
        receive.setWr_id(request);
        receive.setSg_list(part(offset, length));
        receive.setNum_sge(1);
        pair.postRecv(List.of(receive), List.of()).execute().free();
    }

    /** A request that may be executed several times. */
    SVCPostSend request(
            int opcode, long number, int offset, int length, long remoteAddress, int remoteKey)
            throws IOException {
        IbvSendWR send = new IbvSendWR();
        send.setWr_id(number);
        send.setOpcode(opcode);
        send.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        send.setSg_list(part(offset, length));
        send.setNum_sge(1);
        send.getRdma().setRemote_addr(remoteAddress);
        send.getRdma().setRkey(remoteKey);
        return pair.postSend(List.of(send), List.of());
    }

    /** Waits for one completion. */
    IbvWC completion() throws IOException {
        IbvWC[] completions = new IbvWC[COMPLETIONS];
        for (int i = 0; i < COMPLETIONS; i++) {
            completions[i] = new IbvWC();
        }
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < BOUND_NANOS) {
            if (queue.poll(completions, 1).execute().free().getPolls() == 1) {
                return completions[0];
            }
        }
        throw new AssertionError("no completion");
    }

    /** Waits for the success of that request. */
    void succeed(long request) throws IOException {
        IbvWC completion = completion();
        VerbsMain.check(
                completion.getWr_id() == request && completion.getStatus() == 0,
                "request "
                        + completion.getWr_id()
                        + " completed with "
                        + completion.getStatus()
                        + ", awaited: "
                        + request);
    }

    /** In the order of DiSNI's own: the channel before the queue that uses it. */
    void close() throws Exception {
        id.disconnect();
        id.destroyQP();
        region.deregMr().execute().free();
        VerbsMain.check(channel.destroyCompChannel() != 0, "a channel in use was destroyed");
        VerbsMain.check(queue.destroyCQ() == 0, "the queue was not destroyed");
        VerbsMain.check(domain.deallocPd() == 0, "the domain was not freed");
        VerbsMain.check(id.destroyId() == 0, "the connection was not destroyed");
        VerbsMain.check(events.destroyEventChannel() == 0, "the channel was not destroyed");
    }
}
