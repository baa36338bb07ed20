// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.spark.interop.ClassTags;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockData;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BroadcastBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.io.ChunkedByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * The bytes of a value's file with the driver's block manager, piece by piece: in memory, and where
 * that is short, on the driver's local disk. For values that only tasks use, of which the driver
 * has nothing else: it is what Spark's own broadcasts keep of all values. Spark removes it with the
 * broadcast.
 *
 * <p>Belongs to the thread that makes the broadcast until that is done; then, read-only, to whoever
 * has the lock of the {@link DriverValue}.
 */
final class StoredCopy {
    private static final Logger LOG = LoggerFactory.getLogger(StoredCopy.class);
    private static final StorageLevel LEVEL = StorageLevel.MEMORY_AND_DISK_SER();

    private final BlockManager blocks;
    private final long broadcast;
    private int pieces;
    private boolean refused;

    StoredCopy(SparkEnv env, long broadcast) {
        this.blocks = env.blockManager();
        this.broadcast = broadcast;
    }

    private BroadcastBlockId block(int piece) {
        return new BroadcastBlockId(broadcast, "crail" + piece);
    }

    /** Adds bytes; they are copied. */
    void add(byte[] bytes, int offset, int length) {
        if (refused) {
            return;
        }
        ByteBuffer piece = ByteBuffer.wrap(Arrays.copyOfRange(bytes, offset, offset + length));
        if (blocks.putBytes(
                block(pieces), new ChunkedByteBuffer(piece), LEVEL, false, ClassTags.any())) {
            pieces++;
        } else {
            LOG.warn(
                    "The driver has no room for a copy of broadcast {}: it can be written again"
                            + " only as long as the driver has the value itself.",
                    broadcast);
            drop();
            refused = true;
        }
    }

    /** Whether all that was added is there. */
    boolean isComplete() {
        return !refused;
    }

    /** Writes all pieces in their order. */
    void writeTo(OutputStream out) throws IOException {
        for (int i = 0; i < pieces; i++) {
            BroadcastBlockId piece = block(i);
            Option<BlockData> found = blocks.getLocalBytes(piece);
            if (found.isEmpty()) {
                throw new IOException("the driver does not have " + piece + " any more");
            }
            BlockData data = found.get();
            try (InputStream in = data.toInputStream()) {
                in.transferTo(out);
            } finally {
                data.dispose();
                blocks.releaseLock(piece, Option.empty());
            }
        }
    }

    /** Removes it. */
    void drop() {
        for (int i = 0; i < pieces; i++) {
            blocks.removeBlock(block(i), false);
        }
        pieces = 0;
    }
}
