// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.frame.FrameInput;
import io.crail.spark.layout.StreamFormat;
import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.ShuffleBlockId;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a reduce task one after the other, decrypted and decompressed. Belongs to the
 * thread of the task.
 */
final class BlockStreams {
    private final BlockFetcher fetcher;
    private final int shuffle;
    private final SerializerManager serializers;
    private final TaskContext context;
    private final FrameInput frames;

    BlockStreams(
            BlockFetcher fetcher, int shuffle, SerializerManager serializers, TaskContext context) {
        this.fetcher = fetcher;
        this.shuffle = shuffle;
        this.serializers = serializers;
        this.context = context;
        this.frames = new FrameInput(fetcher);
    }

    /**
     * Goes on to the next stream; null, and everything is given back, if there is none. The one
     * before is of no use any more.
     */
    @Nullable InputStream next() throws IOException {
        BlockStream next = fetcher.nextStream();
        if (next == null) {
            fetcher.close();
            context.taskMetrics().mergeShuffleReadMetrics();
            return null;
        }
        return next.format() == StreamFormat.LZ4_FRAMES ? frames.begin() : ofSpark(next);
    }

    /** What makes Spark run the map task again whose stream was the last. To be thrown at once. */
    RuntimeException corrupt(String what) throws IOException {
        return fetcher.corrupt(what);
    }

    private InputStream ofSpark(BlockStream next) {
        ShuffleBlockId block =
                new ShuffleBlockId(shuffle, next.source().blocks().mapId(), next.partition());
        return serializers.wrapStream(block, new BlockInputStream(fetcher));
    }
}
