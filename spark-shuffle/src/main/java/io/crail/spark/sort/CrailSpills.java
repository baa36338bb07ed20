// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStore;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.UUID;
import org.apache.spark.TaskContext;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.storage.TempLocalBlockId;
import org.jspecify.annotations.Nullable;

/**
 * What a task spills, next to the map outputs of its shuffle. Files are removed by the task, and if
 * it cannot, with the session of its executor or with the shuffle, whichever ends first. Belongs to
 * the thread of the task.
 */
public final class CrailSpills implements SpillSpace {
    private final ApplicationStore store;
    private final int shuffle;
    private final TaskContext context;
    private final SerializerManager serializers;

    /**
     * Nothing spilled so far.
     *
     * @param context of the task, which does not spill any more when it is killed
     * @param serializers compress and encrypt as the application says
     */
    public CrailSpills(
            ApplicationStore store,
            int shuffle,
            TaskContext context,
            SerializerManager serializers) {
        this.store = store;
        this.shuffle = shuffle;
        this.context = context;
        this.serializers = serializers;
    }

    @Override
    public SpillFile create(long memory) {
        context.killTaskIfInterrupted();
        context.taskMetrics().incMemoryBytesSpilled(memory);
        return new Spill(UUID.randomUUID());
    }

    private final class Spill implements SpillFile {
        /** For the settings of Spark it is a block that is spilled to a local disk. */
        private final TempLocalBlockId block;

        private final String path;
        private @Nullable CrailOutputStream writing;
        private boolean exists;

        Spill(UUID id) {
            block = new TempLocalBlockId(id);
            path = store.shufflePath(shuffle) + "/sort-" + id;
        }

        @Override
        public OutputStream write() throws IOException {
            CrailOutputStream stream = store.createTemporary(shuffle, path);
            writing = stream;
            exists = true;
            return serializers.wrapStream(block, new Target(stream));
        }

        @Override
        public InputStream read() throws IOException {
            return serializers.wrapStream(
                    block, new SpillInput(store.client().open(path), store.buffers()));
        }

        @Override
        public void delete() {
            CrailOutputStream unfinished = writing;
            writing = null;
            if (unfinished != null) {
                unfinished.abort();
            }
            if (exists) {
                exists = false;
                // Nobody waits: the thread may have been interrupted.
                var unused = store.client().deleteAsync(path, false);
            }
        }

        /** Is complete when it is closed, and counted. */
        private final class Target extends FilterOutputStream {
            private final CrailOutputStream stream;

            Target(CrailOutputStream stream) {
                super(stream);
                this.stream = stream;
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws CrailException {
                stream.write(bytes, offset, length);
            }

            @Override
            public void close() throws CrailException {
                if (writing != null) {
                    stream.close();
                    writing = null;
                    context.taskMetrics().incDiskBytesSpilled(stream.position());
                }
            }
        }
    }
}
