// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ReadOnlyException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.AppendRecords;
import io.crail.namenode.state.CreateStream;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Retention;
import io.crail.namenode.tree.StreamNode;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.message.StreamCreate;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.message.StreamTrim;
import io.crail.protocol.node.NodeType;
import io.crail.protocol.stream.RecordFrame;
import java.nio.ByteBuffer;
import java.util.List;

/** Appending to streams, reading and trimming them. */
final class StreamRequests {
    /** Runs of one stream: what a snapshot saves at once. */
    private static final int MAX_RUNS = 100_000;

    private final Core core;
    private final CreateRequest creation;
    private final GrantsAhead ahead;
    private final CommitCheck check;
    private final Quotas quotas;
    private final StreamWaiters waiters;
    private final StreamRetention retention;

    StreamRequests(
            Core core,
            CreateRequest creation,
            GrantsAhead ahead,
            CommitCheck check,
            Quotas quotas) {
        this.core = core;
        this.creation = creation;
        this.ahead = ahead;
        this.check = check;
        this.quotas = quotas;
        this.waiters = new StreamWaiters(core, this::answer);
        this.retention = new StreamRetention(core);
    }

    void create(Request request) throws CrailException {
        StreamCreate.Request wanted = StreamCreate.Request.decode(request.control());
        if (wanted.create().nodeType() != NodeType.STREAM) {
            throw new InvalidArgumentException(
                    "a " + wanted.create().nodeType() + " cannot be made as a STREAM");
        }
        Retention limits =
                new Retention(wanted.maxBytes(), wanted.maxRecords(), wanted.maxAgeMillis());
        creation.create(request, wanted.create(), made -> new CreateStream(limits, made));
    }

    private StreamNode stream(long id) throws CrailException {
        Node node = core.state().tree().byId(id);
        if (node instanceof StreamNode stream) {
            return stream;
        }
        if (node == null) {
            throw NamespaceRequests.gone(id);
        }
        throw new WrongNodeTypeException(
                node.path() + " is a " + node.type() + ", only a STREAM has records");
    }

    void append(Request request) throws CrailException {
        StreamAppend.Request wanted = StreamAppend.Request.decode(request.control());
        ByteBuffer frames = request.payload();
        StreamNode stream = stream(wanted.node());
        core.checkWritable();
        Placement.checkExcluded(wanted.excludedServers());
        if (wanted.records() == 0) {
            checkOnlyGrant(wanted, frames);
        } else if (wanted.extents().isEmpty()) {
            checkInline(stream, wanted.records(), frames);
            core.state().prepareFrames(stream, frames);
        } else {
            checkBlocks(request.session(), stream, wanted, frames);
        }
        // From here on nothing fails: what is granted and prepared goes into the mutation.
        List<GrantedBlock> grants = grants(request.session(), stream, wanted);
        core.commit(
                request,
                new AppendRecords(
                        stream.id(),
                        wanted.records(),
                        core.millis(),
                        wanted.extents(),
                        wanted.returned(),
                        grants,
                        frames));
        if (wanted.records() > 0) {
            waiters.appended(stream);
            retention.apply(stream);
        }
    }

    private static void checkOnlyGrant(StreamAppend.Request wanted, ByteBuffer frames)
            throws InvalidArgumentException {
        if (!wanted.extents().isEmpty() || frames.hasRemaining()) {
            throw new InvalidArgumentException("frames of no record");
        }
    }

    private void checkInline(StreamNode stream, int records, ByteBuffer frames)
            throws CrailException {
        int bytes = frames.remaining();
        if (bytes > core.config().inlineLimit()) {
            throw new InvalidArgumentException(
                    "inline frames of "
                            + bytes
                            + " bytes, at most "
                            + core.config().inlineLimit()
                            + "; write larger ones to blocks");
        }
        if (RecordFrame.skip(frames, 0, bytes, records) != bytes) {
            throw new InvalidArgumentException(
                    bytes + " bytes are not the frames of " + records + " records");
        }
        if (bytes > State.MAX_STREAM_INLINE - stream.inlineBytes()) {
            throw new OutOfSpaceException(
                    stream.path()
                            + " holds "
                            + stream.inlineBytes()
                            + " bytes inline, at most "
                            + State.MAX_STREAM_INLINE
                            + "; write further ones to blocks");
        }
        if (stream.growing(bytes) == null) {
            checkRuns(stream);
        }
    }

    private static void checkRuns(StreamNode stream) throws OutOfSpaceException {
        if (stream.runs() >= MAX_RUNS) {
            throw new OutOfSpaceException(
                    stream.path()
                            + " has "
                            + MAX_RUNS
                            + " runs of records; trim it, or append more records at a time");
        }
    }

    private void checkBlocks(
            Session session, StreamNode stream, StreamAppend.Request wanted, ByteBuffer frames)
            throws CrailException {
        if (frames.hasRemaining()) {
            throw new InvalidArgumentException("frames both inline and in blocks");
        }
        long bytes = 0;
        for (CommittedExtent extent : wanted.extents()) {
            bytes += extent.length();
        }
        if (bytes > RecordFrame.MAX_RUN || (long) wanted.records() * RecordFrame.HEADER > bytes) {
            throw new InvalidArgumentException(
                    bytes
                            + " bytes cannot be the frames of "
                            + wanted.records()
                            + " records; an append has at most "
                            + RecordFrame.MAX_RUN
                            + " bytes");
        }
        checkRuns(stream);
        if (stream.blocks() + wanted.extents().size() > CommitCheck.MAX_EXTENTS) {
            throw new OutOfSpaceException(
                    stream.path()
                            + " has "
                            + stream.blocks()
                            + " blocks, at most "
                            + CommitCheck.MAX_EXTENTS
                            + "; trim it");
        }
        check.value(session.grants(), wanted.extents());
        quotas.checkCommit(stream.parent(), 0, null, session.grants(), wanted.extents());
    }

    /** Blocks for further appends; that there are none is no reason to refuse these records. */
    private List<GrantedBlock> grants(
            Session session, StreamNode stream, StreamAppend.Request wanted) throws CrailException {
        int bytes = Math.min(wanted.blockBytes(), BlockGeometry.MAX_BLOCK);
        int blocks = Math.min(wanted.blocks(), ProtocolLimits.MAX_REFERENCES);
        GrantsAhead.Wish wish = GrantsAhead.Wish.blocks(blocks, bytes, wanted.excludedServers());
        return wanted.records() == 0
                ? ahead.need(session, stream.parent(), stream.attributes(), wish)
                : ahead.spare(session, stream.parent(), stream.attributes(), wish);
    }

    void extents(Request request) throws CrailException {
        StreamExtents.Request wanted = StreamExtents.Request.decode(request.control());
        StreamNode stream = stream(wanted.node());
        StreamQuery query = new StreamQuery(request.session().id(), wanted);
        boolean waits = wanted.limit() > 0 && wanted.offset() == stream.next();
        Pending pending = request.later();
        if (!waits || !waiters.add(query, pending)) {
            answer(pending, query, stream);
        }
    }

    private void answer(Pending pending, StreamQuery query, StreamNode stream) {
        query.answer(core.state(), stream, pending.beginReply(), pending.connection());
        core.endReply(pending.connection());
    }

    void trim(Request request) throws CrailException {
        StreamTrim.Request wanted = StreamTrim.Request.decode(request.control());
        StreamNode stream = stream(wanted.node());
        if (wanted.offset() > stream.next()) {
            throw new OffsetOutOfRangeException(
                    stream.path()
                            + " has the records "
                            + stream.first()
                            + " to "
                            + (stream.next() - 1)
                            + "; it cannot be trimmed to "
                            + wanted.offset());
        }
        core.commit(request, StreamRetention.trim(stream, wanted.offset()));
    }

    void tick() {
        waiters.tick();
    }

    /** Returns whether more can be done at once. */
    boolean upkeep() throws ReadOnlyException {
        return retention.tick();
    }
}
