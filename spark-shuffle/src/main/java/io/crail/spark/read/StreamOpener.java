// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.frame.FrameInput;
import io.crail.spark.layout.StreamFormat;
import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
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
    private final ShuffleReadMetricsReporter metrics;
    private final FrameInput frames;
    private @Nullable BlockStream stream;

    StreamOpener(
            BlockFetcher fetcher,
            int shuffle,
            SerializerManager serializers,
            ShuffleReadMetricsReporter metrics) {
        this.fetcher = fetcher;
        this.shuffle = shuffle;
        this.serializers = serializers;
        this.metrics = metrics;
        this.frames = new FrameInput(fetcher);
    }

    /** Goes on to the next stream; null if there is none. The one before is of no use any more. */
    @Nullable InputStream next() throws IOException {
        @Nullable BlockStream before = stream;
        BlockStream next = fetcher.nextStream();
        stream = next;
        if (next == null) {
            return null;
        }
        if (before == null
                || before.source() != next.source()
                || before.partition() != next.partition()) {
            metrics.incRemoteBlocksFetched(1);
        }
        return open(next);
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
