// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.protocol.message.OpenMembers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The members of a MULTIFILE as of its opening, in order of their names, and the handles that keep
 * their bytes: one for each page of members.
 */
public final class MemberSet {
    private static final int PAGE = 1024;

    /** First extents asked for with a page: a member of so many blocks costs no further call. */
    private static final int REFERENCES = 4;

    /** Extents held for members that are not being read yet; later pages come without. */
    private static final int MAX_HELD = 65_536;

    private final Session session;
    private final String path;
    private final int flags;
    private final List<MemberFile> members = new ArrayList<>();
    private final List<Long> handles = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private int incarnation;
    private int held;

    private MemberSet(Session session, String path, boolean closedOnly) {
        this.session = session;
        this.path = path;
        this.flags = closedOnly ? OpenMembers.CLOSED_ONLY : 0;
    }

    /** Opens all members; what has been opened is closed again if that fails. */
    public static CompletableFuture<MemberSet> open(
            Operation operation,
            Session session,
            String path,
            byte[] encodedPath,
            boolean closedOnly) {
        MemberSet set = new MemberSet(session, path, closedOnly);
        CompletableFuture<MemberSet> result = new CompletableFuture<>();
        OpenMembers.Request first =
                new OpenMembers.Request(
                        encodedPath, 0, 0, new byte[0], PAGE, REFERENCES, set.flags);
        Outcomes.whenDone(
                session.call(operation, first),
                (reply, cause) -> {
                    if (cause == null) {
                        set.incarnation = reply.incarnation();
                    }
                    set.opened(operation, first, reply, cause, result);
                });
        return result;
    }

    private void opened(
            Operation operation,
            OpenMembers.Request request,
            Reply reply,
            @Nullable CrailException cause,
            CompletableFuture<MemberSet> result) {
        CrailException failure = cause != null ? cause : operation.cancelled();
        if (cause == null) {
            try {
                OpenMembers.Reply page = OpenMembers.Reply.decode(reply.control());
                add(page);
                if (failure == null && page.more()) {
                    further(operation, request, page, result);
                    return;
                }
            } catch (CrailException e) {
                failure = e;
            }
        }
        if (failure == null) {
            result.complete(this);
        } else {
            close();
            result.completeExceptionally(failure);
        }
    }

    private void further(
            Operation operation,
            OpenMembers.Request before,
            OpenMembers.Reply page,
            CompletableFuture<MemberSet> result) {
        OpenMembers.Request next =
                new OpenMembers.Request(
                        before.path(),
                        page.status().id(),
                        page.bound(),
                        page.cursor(),
                        PAGE,
                        held < MAX_HELD ? REFERENCES : 0,
                        flags);
        Outcomes.whenDone(
                session.call(operation, next, null, incarnation),
                (reply, cause) -> opened(operation, next, reply, cause, result));
    }

    private void add(OpenMembers.Reply page) {
        if (page.handle() != 0) {
            handles.add(page.handle());
        }
        for (OpenMembers.Member member : page.members()) {
            members.add(new MemberFile(this, member, page.handle()));
            held += member.extents().size();
        }
    }

    Session session() {
        return session;
    }

    int incarnation() {
        return incarnation;
    }

    public String path() {
        return path;
    }

    public List<MemberFile> members() {
        return Collections.unmodifiableList(members);
    }

    /** Gives the handles back with the next keep-alive. Idempotent. */
    public void close() {
        if (closed.compareAndSet(false, true)) {
            handles.forEach(handle -> session.closeHandle(handle, incarnation));
        }
    }
}
