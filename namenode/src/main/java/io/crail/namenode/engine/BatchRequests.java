// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.namenode.state.PutMany;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.MultiGet;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.node.Names;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Many keys of one table in one request. */
final class BatchRequests {
    private final Core core;
    private final Paths paths;
    private final Quotas quotas;

    BatchRequests(Core core, Paths paths, Quotas quotas) {
        this.core = core;
        this.paths = paths;
        this.quotas = quotas;
    }

    /** Reads keys in place. */
    void get(Request request) throws CrailException {
        WireReader control = request.control();
        ContainerNode table = paths.table(request, control.bytesView(Names.MAX_PATH));
        int count = control.count(2);
        checkCount(count, MultiGet.MAX_KEYS);
        Answer answer = new Answer(core, request.session().id(), count);
        WireWriter reply = request.beginReply().u16(count);
        for (int i = 0; i < count; i++) {
            int end = control.beginRecord();
            ByteBuffer key = control.bytesView(Names.MAX_KEY);
            control.endRecord(end);
            int mark = reply.beginRecord();
            answer.add(table.find(key, 0, key.remaining()), reply);
            reply.endRecord(mark);
        }
        if (answer.payload > 0) {
            request.connection().beginPayload();
            answer.writeValues(reply);
        }
        core.endReply(request.connection());
    }

    private static void checkCount(int count, int limit) throws InvalidArgumentException {
        if (count > limit) {
            throw new InvalidArgumentException(
                    count + " keys in one request, at most " + limit + "; split it");
        }
    }

    /** The results of a multi-get as far as there is room for them. */
    private static final class Answer {
        private final Core core;
        private final State state;
        private final long session;
        private final long[] inline;
        private int inlineCount;
        private int extents;
        private long payload;

        Answer(Core core, long session, int keys) {
            this.core = core;
            this.state = core.state();
            this.session = session;
            this.inline = new long[keys];
        }

        void add(@Nullable Node node, WireWriter reply) {
            if (!(node instanceof KeyValueNode value)) {
                bare(reply, Get.ABSENT);
                return;
            }
            ExtentList list = value.extents();
            int references =
                    list == null ? 0 : Math.min(list.count(), ProtocolLimits.MAX_REFERENCES);
            long bytes = list == null ? value.length() : 0;
            if (extents + references > MultiGet.MAX_EXTENTS
                    || payload + bytes > ProtocolLimits.MAX_PAYLOAD) {
                bare(reply, MultiGet.LATER);
                return;
            }
            extents += references;
            payload += bytes;
            reply.i64(value.id()).i64(value.version()).i64(value.length());
            reply.i64(value.modifiedMillis());
            reply.u8(list == null ? Get.INLINE : Get.EXTENTS);
            reply.u8(value.attributes().checksums() ? Get.CHECKSUMS : 0);
            if (list == null) {
                inline[inlineCount++] = value.inlineHandle();
                reply.u16(0).u16(Extent.WIRE_SIZE);
            } else {
                core.read(value);
                state.references().extents(reply, session, list, 0);
            }
            reply.i64(value.remainingMillis());
        }

        private static void bare(WireWriter reply, int form) {
            reply.i64(0).i64(0).i64(0).i64(0).u8(form).u8(0).u16(0).u16(Extent.WIRE_SIZE);
            reply.i64(LifeWishes.FOREVER);
        }

        void writeValues(WireWriter reply) {
            for (int i = 0; i < inlineCount; i++) {
                state.inline().read(inline[i], reply);
            }
        }
    }

    void put(Request request) throws CrailException {
        MultiPut.Request wanted = MultiPut.Request.decode(request.control());
        ContainerNode table = paths.table(request, ByteBuffer.wrap(wanted.table()));
        checkCount(wanted.entries().size(), MultiPut.MAX_ENTRIES);
        ByteBuffer payload = request.payload();
        checkLengths(wanted.entries(), payload.remaining());
        core.checkWritable();
        Puts puts = new Puts(core, quotas, table);
        for (MultiPut.Entry entry : wanted.entries()) {
            puts.add(entry, payload.slice(payload.position(), entry.length()));
            payload.position(payload.position() + entry.length());
        }
        PutMany mutation = new PutMany(table.id(), core.millis(), puts.items);
        if (puts.count == 0) {
            // As any error answer: nothing has changed, and nothing need be remembered.
            mutation.writeResults(request.beginReply());
            core.endReply(request.connection());
        } else {
            core.commit(request, mutation);
        }
    }

    private static void checkLengths(List<MultiPut.Entry> entries, int payload)
            throws ProtocolException {
        long sum = 0;
        for (MultiPut.Entry entry : entries) {
            sum += entry.length();
        }
        if (sum != payload) {
            throw new ProtocolException(
                    "values of " + sum + " bytes in a payload of " + payload + " bytes");
        }
    }

    /** Decides entry after entry, each seeing what those before it will have done. */
    private static final class Puts {
        private final Core core;
        private final Quotas quotas;
        private final ContainerNode table;
        private final List<PutMany.Item> items = new ArrayList<>();
        private final Map<ByteBuffer, Long> versions = new HashMap<>();
        private int count;
        private int made;

        Puts(Core core, Quotas quotas, ContainerNode table) {
            this.core = core;
            this.quotas = quotas;
            this.table = table;
        }

        void add(MultiPut.Entry entry, ByteBuffer value) {
            ByteBuffer key = ByteBuffer.wrap(entry.key());
            Long known = versions.get(key);
            Node old = known == null ? table.find(entry.key()) : null;
            long found = known != null ? known : old == null ? 0 : old.version();
            try {
                check(entry, found, value.remaining());
                if (found == 0) {
                    CreateRequest.checkRoom(core, made + 1);
                    quotas.checkNodes(table, made + 1);
                }
                core.state().prepareInline(value);
            } catch (CrailException e) {
                boolean condition = e.code() == ErrorCode.CONDITION_FAILED;
                items.add(PutMany.Item.refused(e.code().wire(), condition ? found : 0));
                return;
            }
            count++;
            made += found == 0 ? 1 : 0;
            long version = core.state().lastVersion() + count;
            versions.put(key, version);
            items.add(
                    PutMany.Item.put(
                            version, entry.key(), core.state().lastNodeId() + count, value));
        }

        private void check(MultiPut.Entry entry, long found, int length) throws CrailException {
            Names.checkKey(entry.key().length);
            if (entry.lifetimeMillis() != -1) {
                throw new InvalidArgumentException(
                        "values of a batch have no time to live; put them one by one");
            }
            TableRequests.checkLength(core, length);
            TableRequests.checkCondition(table, found, entry.condition(), entry.expectedVersion());
        }
    }
}
