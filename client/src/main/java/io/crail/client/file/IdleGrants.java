// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.protocol.block.BlockId;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Gives blocks that were granted and not begun back when the application has written nothing for a
 * while: they are of use to others, and a server could not be emptied while they are out. On the
 * writer's strand.
 */
final class IdleGrants {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final WriterContext context;
    private final GrantSupply grants;
    private final Writer writer;
    private boolean watching;
    private long lastPosition = -1;

    /** The writer whose blocks they are. */
    interface Writer {
        /** Whether it has failed or closes: then its close gives them back, or the lease's end. */
        boolean isOver();

        /** Whether bytes are on their way to blocks. */
        boolean isWriting();

        /** Bytes that were appended. */
        long position();

        void giveBack(List<BlockId> unused);
    }

    IdleGrants(WriterContext context, GrantSupply grants, Writer writer) {
        this.context = context;
        this.grants = grants;
        this.writer = writer;
    }

    /** Looks at intervals from now on, as long as there are such blocks. */
    void watch() {
        if (!watching && !grants.isEmpty()) {
            watching = true;
            context.engine()
                    .housekeeper()
                    .after(LOOK_NANOS, () -> context.strand().execute(this::look));
        }
    }

    private void look() {
        watching = false;
        if (writer.isOver()) {
            return;
        }
        if (lastPosition == writer.position() && !writer.isWriting()) {
            List<BlockId> unused = grants.drain();
            if (!unused.isEmpty()) {
                writer.giveBack(unused);
            }
        }
        lastPosition = writer.position();
        watch();
    }
}
