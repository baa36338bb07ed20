// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Operation;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.error.SessionExpiredException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.OpenMembers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A member of a MULTIFILE that was opened together with others. There may be a million of them, so
 * it holds little until it is read. Used on one strand.
 */
public final class MemberFile {
    private final MemberSet set;
    private final String name;
    private final long node;
    private final long length;
    private final boolean checksums;
    private final long handle;
    private List<Extent> first;
    private @Nullable ExtentMap extents;

    MemberFile(MemberSet set, OpenMembers.Member member, long handle) {
        this.set = set;
        this.name = new String(member.name(), StandardCharsets.UTF_8);
        this.node = member.status().id();
        this.length = member.status().length();
        this.checksums = member.status().has(NodeStatus.CHECKSUMS);
        this.handle = handle;
        this.first = member.extents();
    }

    public String name() {
        return name;
    }

    /** Committed length when it was opened; it is read no further. */
    public long length() {
        return length;
    }

    public long node() {
        return node;
    }

    private ExtentMap extents() {
        ExtentMap map = extents;
        if (map == null) {
            map = new ExtentMap();
            map.add(first);
            first = List.of();
            extents = map;
        }
        return map;
    }

    /** It will not be read any more: forgets its references. */
    void done() {
        extents = null;
        first = List.of();
    }

    /** The extent that holds a position, if it is known. */
    @Nullable Extent known(long position) {
        return extents().holding(position);
    }

    /** Fills the target, which ends within the length. */
    CompletableFuture<Void> readExactly(
            Operation operation, ExtentReader reader, long position, ByteBuffer target) {
        String path = set.path() + "/" + name;
        if (set.session().incarnation() != set.incarnation()) {
            return CompletableFuture.failedFuture(
                    new SessionExpiredException(
                            path
                                    + ": the session expired at the namenode and with it the"
                                    + " handle; open the multifile again"));
        }
        return new RangeRead(
                        operation,
                        RangeRead.into(operation, reader, path, checksums, position, target),
                        extents(),
                        this::fetch,
                        path,
                        position,
                        target.remaining())
                .start();
    }

    private CompletableFuture<List<Extent>> fetch(Operation operation, long offset) {
        Session session = set.session();
        return session.call(
                        operation,
                        new GetExtents.Request(node, handle, offset, ProtocolLimits.MAX_REFERENCES),
                        null,
                        set.incarnation())
                .thenApply(
                        reply -> {
                            try {
                                return GetExtents.Reply.decode(reply.control()).extents();
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }
}
