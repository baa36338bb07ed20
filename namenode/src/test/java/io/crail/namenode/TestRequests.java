// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.node.NodeType;
import io.crail.protocol.stream.RecordFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests as clients make them, of strings and with everything else as usual. */
final class TestRequests {
    private static final int MODE = 0750;

    private TestRequests() {}

    static Create.Request createRequest(String path, NodeType type, int flags, long bytes) {
        return new Create.Request(
                TestSession.bytes(path),
                type,
                flags,
                MODE,
                Create.INHERIT,
                -1,
                bytes,
                false,
                "",
                "",
                "");
    }

    /** A node with a time to live. */
    static Create.Request createRequest(
            String path, NodeType type, int flags, long bytes, long lifetimeMillis) {
        return new Create.Request(
                TestSession.bytes(path),
                type,
                flags,
                MODE,
                Create.INHERIT,
                lifetimeMillis,
                bytes,
                false,
                "",
                "",
                "");
    }

    static SetAttributes.Request lifetimeRequest(String path, long millis) {
        return new SetAttributes.Request(
                TestSession.bytes(path), SetAttributes.LIFETIME, 0, 0, 0, 0, millis, "", "");
    }

    static OpenMembers.Request openMembersRequest(
            String path, OpenMembers.@Nullable Reply before, int limit, int references, int flags) {
        return new OpenMembers.Request(
                TestSession.bytes(path),
                before == null ? 0 : before.status().id(),
                before == null ? 0 : before.bound(),
                before == null ? TestSession.NOTHING : before.cursor(),
                limit,
                references,
                flags);
    }

    static Put.Request putRequest(String table, String key, int condition, long version) {
        return putRequest(table, key, condition, version, -1);
    }

    static Put.Request putRequest(
            String table, String key, int condition, long version, long lifetimeMillis) {
        return new Put.Request(
                TestSession.bytes(table),
                TestSession.bytes(key),
                condition,
                version,
                lifetimeMillis,
                Get.INLINE,
                List.of(),
                List.of());
    }

    static MultiPut.Entry entry(String key, int condition, long version, int length) {
        return new MultiPut.Entry(TestSession.bytes(key), condition, version, -1, length);
    }

    static StreamAppend.Request appendRequest(
            long node, int records, List<CommittedExtent> extents, int blocks, int blockBytes) {
        return new StreamAppend.Request(
                node, records, extents, List.of(), blocks, blockBytes, new int[0]);
    }

    /** The frames of records that are texts. */
    static byte[] frames(List<String> records) {
        ByteBuffer frames = ByteBuffer.allocate(64 << 10);
        for (String record : records) {
            ByteBuffer bytes = ByteBuffer.wrap(TestSession.bytes(record));
            RecordFrame.putHeader(frames, bytes.remaining(), RecordFrame.crc(bytes));
            frames.put(bytes);
        }
        return Arrays.copyOf(frames.array(), frames.position());
    }

    /** Blocks filled one after the other with {@code length} bytes; unused ones are left out. */
    static List<CommittedExtent> fill(List<BlockReference> blocks, long length) {
        List<CommittedExtent> extents = new ArrayList<>();
        long rest = length;
        for (BlockReference block : blocks) {
            if (rest > 0) {
                int used = (int) Math.min(rest, block.length());
                extents.add(extent(block, used));
                rest -= used;
            }
        }
        if (rest > 0) {
            throw new IllegalArgumentException(rest + " bytes do not fit the blocks granted");
        }
        return extents;
    }

    static CommittedExtent extent(BlockReference block, int used) {
        int crc = used % BlockGeometry.CHUNK_SIZE == 0 ? 0 : 0x1234_5678 ^ used;
        return new CommittedExtent(block, used, crc);
    }
}
