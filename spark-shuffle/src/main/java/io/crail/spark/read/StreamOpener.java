// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.frame.FrameInput;
import io.crail.spark.layout.StreamFormat;
import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.ShuffleBlockId;
import org.jspecify.annotations.Nullable;

/**
 * Opens one stream after the other, so that its bytes are those that were serialised. Belongs to
 * the thread of the task.
 */
final class StreamOpener {
    private final BlockFetcher fetcher;
    private final int shuffle;
    private final SerializerManager serializers;
    private final FrameInput frames;

    StreamOpener(BlockFetcher fetcher, int shuffle, SerializerManager serializers) {
        this.fetcher = fetcher;
        this.shuffle = shuffle;
        this.serializers = serializers;
        this.frames = new FrameInput(fetcher);
    }

    /** Goes on to the next stream; null if there is none. The one before is of no use any more. */
    @Nullable InputStream next() throws IOException {
        BlockStream next = fetcher.nextStream();
        return next == null ? null : open(next);
    }

    private InputStream open(BlockStream next) {
        if (next.format() == StreamFormat.LZ4_FRAMES) {
            return frames.begin();
        }
        ShuffleBlockId block =
                new ShuffleBlockId(shuffle, next.source().blocks().mapId(), next.partition());
        return serializers.wrapStream(block, new BlockInputStream(fetcher));
    }
}
