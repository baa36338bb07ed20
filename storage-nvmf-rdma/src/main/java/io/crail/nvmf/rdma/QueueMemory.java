// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import io.crail.nvmf.wire.command.CompletionEntry;
import io.crail.nvmf.wire.command.SubmissionEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The registered memory of one queue, and the requests that refer to it, made once: a submission
 * entry for each slot, a completion entry for each answer, and an area for data, the only part that
 * the controller may reach by itself.
 *
 * <p>Ownership. An entry of a slot, and its data, belong to whoever has the queue's lock until the
 * capsule is posted, then to device and controller until the command is answered and its capsule
 * sent. A completion entry belongs to the device while its request is posted. Nothing is
 * deregistered before the queue pair is gone.
 */
final class QueueMemory {
    /** Of identifiers of requests: it is one for an answer. */
    static final long ANSWER = 1L << 32;

    private final ByteBuffer entries;
    private final ByteBuffer answers;
    private final ByteBuffer data;
    private final Region entryRegion;
    private final Region answerRegion;
    private final Region dataRegion;
    private final SVCPostSend[] sends;
    private final SVCPostRecv[] receives;

    /** Memory that a device knows. */
    private record Region(IbvMr keys) {
        static Region of(IbvPd domain, ByteBuffer memory, int access) throws IOException {
            try {
                SVCRegMr call = domain.regMr(memory, access);
                try {
                    return new Region(call.execute().getMr());
                } finally {
                    call.free();
                }
            } catch (IOException e) {
                throw new IOException(
                        memory.capacity()
                                + " bytes could not be registered with the RDMA device ("
                                + e.getMessage()
                                + "). Registered memory is locked: raise the limit (ulimit -l,"
                                + " LimitMEMLOCK=), or use fewer connections",
                        e);
            }
        }

        void close() throws IOException {
            keys.deregMr().execute().free();
        }
    }

    private QueueMemory(
            ByteBuffer entries,
            ByteBuffer answers,
            ByteBuffer data,
            Region entryRegion,
            Region answerRegion,
            Region dataRegion) {
        this.entries = entries;
        this.answers = answers;
        this.data = data;
        this.entryRegion = entryRegion;
        this.answerRegion = answerRegion;
        this.dataRegion = dataRegion;
        this.sends = new SVCPostSend[entries.capacity() / SubmissionEntry.SIZE];
        this.receives = new SVCPostRecv[answers.capacity() / CompletionEntry.SIZE];
    }

    /** Allocates and registers it. */
    static QueueMemory register(IbvPd domain, int commands, int answerCount, int dataBytes)
            throws IOException {
        ByteBuffer entries = ByteBuffer.allocateDirect(commands * SubmissionEntry.SIZE);
        ByteBuffer answers = ByteBuffer.allocateDirect(answerCount * CompletionEntry.SIZE);
        ByteBuffer data = ByteBuffer.allocateDirect(dataBytes);
        Region[] made = new Region[3];
        boolean done = false;
        try {
            made[0] = Region.of(domain, entries, 0);
            made[1] = Region.of(domain, answers, IbvMr.IBV_ACCESS_LOCAL_WRITE);
            made[2] =
                    Region.of(
                            domain,
                            data,
                            IbvMr.IBV_ACCESS_LOCAL_WRITE
                                    | IbvMr.IBV_ACCESS_REMOTE_WRITE
                                    | IbvMr.IBV_ACCESS_REMOTE_READ);
            QueueMemory memory = new QueueMemory(entries, answers, data, made[0], made[1], made[2]);
            done = true;
            return memory;
        } finally {
            if (!done) {
                closeAll(made);
            }
        }
    }

    private static void closeAll(@Nullable Region[] regions) throws IOException {
        for (Region each : regions) {
            if (each != null) {
                each.close();
            }
        }
    }

    /** Makes the requests, and posts all those for answers. */
    void prepare(IbvQP pair) throws IOException {
        for (int i = 0; i < sends.length; i++) {
            IbvSendWR request = new IbvSendWR();
            request.setWr_id(i);
            request.setOpcode(IbvSendWR.IBV_WR_SEND);
            request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
            request.setSg_list(element(entryRegion, i, SubmissionEntry.SIZE));
            request.setNum_sge(1);
            sends[i] = pair.postSend(List.of(request), List.of());
        }
        for (int i = 0; i < receives.length; i++) {
            IbvRecvWR request = new IbvRecvWR();
            request.setWr_id(ANSWER | i);
            request.setSg_list(element(answerRegion, i, CompletionEntry.SIZE));
            request.setNum_sge(1);
            receives[i] = pair.postRecv(List.of(request), List.of());
            expectAnswer(i);
        }
    }

    // DiSNI asks for this class.
    @SuppressWarnings({"NonApiType", "JdkObsolete"})
    private static LinkedList<IbvSge> element(Region region, int index, int size) {
        IbvSge element = new IbvSge();
        element.setAddr(region.keys.getAddr() + (long) index * size);
        element.setLength(size);
        element.setLkey(region.keys.getLkey());
        LinkedList<IbvSge> list = new LinkedList<>();
        list.add(element);
        return list;
    }

    /** Hands the entry of a slot to the device. */
    void send(int slot) throws IOException {
        SVCPostSend unused = sends[slot].execute();
    }

    /** Gives a completion entry to the device. */
    void expectAnswer(int index) throws IOException {
        SVCPostRecv unused = receives[index].execute();
    }

    ByteBuffer entries() {
        return entries;
    }

    ByteBuffer answers() {
        return answers;
    }

    ByteBuffer data() {
        return data;
    }

    long dataAddress() {
        return dataRegion.keys.getAddr();
    }

    int dataKey() {
        return dataRegion.keys.getRkey();
    }

    /** Deregisters it, after the queue pair has gone. */
    Void close() throws IOException {
        for (SVCPostSend each : sends) {
            if (each != null) {
                each.free();
            }
        }
        for (SVCPostRecv each : receives) {
            if (each != null) {
                each.free();
            }
        }
        closeAll(new Region[] {entryRegion, answerRegion, dataRegion});
        return null;
    }
}
