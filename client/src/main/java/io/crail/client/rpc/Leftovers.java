// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.StreamAppend;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must be given back to the namenode without hurry: closed handles and unused grants, among
 * them those that came with an answer nobody waited for any more. Thread-safe.
 */
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);

    /** What one keep-alive carries. */
    private static final int BATCH = 1024;

    private final Session session;
    private final ArrayDeque<Long> handles = new ArrayDeque<>();
    private final ArrayDeque<BlockId> blocks = new ArrayDeque<>();

    Leftovers(Session session) {
        this.session = session;
    }

    synchronized void closeHandle(long handle) {
        handles.add(handle);
    }

    synchronized void returnBlocks(List<BlockId> unused) {
        blocks.addAll(unused);
    }

    synchronized boolean isEmpty() {
        return handles.isEmpty() && blocks.isEmpty();
    }

    /** Whether a keep-alive would be well filled: waiting for more gains nothing. */
    synchronized boolean isMuch() {
        return handles.size() >= BATCH / 2 || blocks.size() >= BATCH / 2;
    }

    /** The next keep-alive, with what it can carry. */
    synchronized KeepAlive.Request next() {
        long[] closed = new long[Math.min(BATCH, handles.size())];
        for (int i = 0; i < closed.length; i++) {
            closed[i] = handles.remove();
        }
        List<BlockId> returned = new ArrayList<>();
        while (returned.size() < BATCH && !blocks.isEmpty()) {
            returned.add(blocks.remove());
        }
        return new KeepAlive.Request(closed, returned);
    }

    static boolean givesBack(KeepAlive.Request request) {
        return request.closedHandles().length > 0 || !request.returned().isEmpty();
    }

    /** A keep-alive has given nothing back, since it was never sent: the next one does. */
    synchronized void neverSent(Message request) {
        if (request instanceof KeepAlive.Request keepAlive) {
            for (long handle : keepAlive.closedHandles()) {
                handles.add(handle);
            }
            blocks.addAll(keepAlive.returned());
        }
    }

    /** The session is gone, and with it all that could be given back. */
    synchronized void forget() {
        handles.clear();
        blocks.clear();
    }

    /**
     * Whether what nobody waits for any more is to be sent again: a late answer may bring something
     * to give back, and asking again does no harm; or the request itself gives something back.
     */
    static boolean concerns(Message request) {
        if (request instanceof KeepAlive.Request keepAlive) {
            return givesBack(keepAlive);
        }
        if (request instanceof Create.Request create) {
            return (create.flags() & Create.OPEN) != 0 && (create.flags() & Create.OVERWRITE) == 0;
        }
        if (request instanceof StreamAppend.Request append) {
            return append.records() == 0;
        }
        return request instanceof Open.Request
                || request instanceof OpenMembers.Request
                || request instanceof Grant.Request;
    }

    /** Gives back what a late answer brought. */
    void giveBack(Message request, Reply reply) {
        try {
            if (request instanceof Create.Request create && (create.flags() & Create.OPEN) != 0) {
                Create.Reply late = Create.Reply.decode(reply.control());
                abandon(late.status().id(), late.handle(), reply);
            } else if (request instanceof Open.Request open) {
                Open.Reply late = Open.Reply.decode(reply.control());
                if (open.mode() == Open.READ) {
                    closeHandle(late.handle());
                } else {
                    abandon(late.status().id(), late.handle(), reply);
                }
            } else if (request instanceof StreamAppend.Request) {
                returnBlocks(
                        StreamAppend.Reply.decode(reply.control()).grants().stream()
                                .map(BlockReference::id)
                                .toList());
            } else if (request instanceof Put.Request) {
                returnBlocks(
                        Put.Reply.decode(reply.control()).grants().stream()
                                .map(BlockReference::id)
                                .toList());
            } else if (request instanceof OpenMembers.Request) {
                long handle = OpenMembers.Reply.decode(reply.control()).handle();
                if (handle != 0) {
                    closeHandle(handle);
                }
            } else if (request instanceof Grant.Request) {
                returnBlocks(
                        Grant.Reply.decode(reply.control()).grants().stream()
                                .map(BlockReference::id)
                                .toList());
            }
        } catch (ProtocolException e) {
            LOG.debug("A late answer is malformed.", e);
        }
    }

    private void abandon(long node, long handle, Reply reply) {
        session.callAndForget(new Abandon.Request(node, handle, true), reply.incarnation());
    }
}
