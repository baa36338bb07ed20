// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Truncate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Joins and cuts files for tests, and sees what those who have them open get. */
final class Splicer {
    private static final int PAGE = 3;

    private Splicer() {}

    static Concat.Request concatRequest(String target, List<String> sources) {
        return new Concat.Request(
                TestSession.bytes(target),
                sources.stream()
                        .map(source -> new Concat.Source(TestSession.bytes(source)))
                        .toList());
    }

    static NodeStatus concat(TestSession session, String target, String... sources)
            throws IOException {
        return session.wire()
                .call(concatRequest(target, Arrays.asList(sources)), Concat.Reply::decode)
                .status();
    }

    /** Cuts a file as a client does that has read its last chunk. */
    static NodeStatus truncate(TestSession session, String path, long length) throws IOException {
        NodeStatus now = session.lookup(path);
        List<Extent> last =
                length == 0 ? List.of() : session.extents(now.id(), length - 1, 1).extents();
        long used = last.isEmpty() ? 0 : length - last.get(0).offset();
        boolean within = used % BlockGeometry.CHUNK_SIZE != 0 && used < last.get(0).length();
        return truncate(session, path, length, within ? crc(length) : 0, now.version());
    }

    /** The checksum that {@link #truncate} states for the last chunk. */
    static int crc(long length) {
        return 0x0BAD_0000 ^ (int) length;
    }

    static NodeStatus truncate(
            TestSession session, String path, long length, int tailCrc, long version)
            throws IOException {
        return session.wire()
                .call(
                        new Truncate.Request(TestSession.bytes(path), length, tailCrc, version),
                        Truncate.Reply::decode)
                .status();
    }

    /** A run of bytes in a block, which is all that its reader has to know. */
    record Piece(long offset, int length, int tailCrc, BlockId block, long generation) {
        Piece(Extent extent) {
            this(
                    extent.offset(),
                    extent.length(),
                    extent.tailCrc(),
                    extent.block().id(),
                    extent.block().generation());
        }

        Piece at(long newOffset) {
            return new Piece(newOffset, length, tailCrc, block, generation);
        }
    }

    /** A file open for reading, with its extents as they were then. */
    record Opened(long handle, NodeStatus status, List<Piece> pieces) {
        static Opened of(TestSession session, String path) throws IOException {
            return of(session, session.open(path, Open.READ, 0));
        }

        static Opened of(TestSession session, Open.Reply open) throws IOException {
            return new Opened(
                    open.handle(),
                    open.status(),
                    Splicer.pieces(session, open.status().id(), open.handle()));
        }

        /** What the handle stands for now. */
        NodeStatus now(TestSession session) throws IOException {
            return page(session, status.id(), handle, 0).status();
        }

        List<Piece> piecesNow(TestSession session) throws IOException {
            return Splicer.pieces(session, status.id(), handle);
        }
    }

    /** The extents of the file at a path. */
    static List<Piece> pieces(TestSession session, String path) throws IOException {
        return pieces(session, session.lookup(path, Lookup.EXTENTS).status().id(), 0);
    }

    private static List<Piece> pieces(TestSession session, long node, long handle)
            throws IOException {
        List<Piece> pieces = new ArrayList<>();
        long at = 0;
        while (true) {
            GetExtents.Reply page = page(session, node, handle, at);
            if (page.extents().isEmpty()) {
                return pieces;
            }
            for (Extent extent : page.extents()) {
                pieces.add(new Piece(extent));
                at = extent.end();
            }
        }
    }

    private static GetExtents.Reply page(TestSession session, long node, long handle, long offset)
            throws IOException {
        return session.wire()
                .call(new GetExtents.Request(node, handle, offset, PAGE), GetExtents.Reply::decode);
    }
}
