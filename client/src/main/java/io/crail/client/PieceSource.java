// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.file.BatchReader;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.TimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for the pieces of a batch reader. Used by who has entered the reader's strand. */
final class PieceSource {
    /** The pieces under way have the same deadline, and know better what they wait for. */
    private static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Engine engine;
    private final BatchReader reader;

    PieceSource(Engine engine, BatchReader reader) {
        this.engine = engine;
        this.reader = reader;
    }

    /** The next piece, which takes the place of the one before; null at the end. */
    BatchReader.@Nullable Piece next() throws CrailException {
        BatchReader.Piece piece = reader.take();
        while (piece == null && !reader.isAtEnd()) {
            await();
            piece = reader.take();
        }
        return piece;
    }

    private void await() throws CrailException {
        String what = "read " + reader.set().path();
        long deadline = reader.timeoutNanos();
        long patience = Math.max(deadline, deadline + GRACE_NANOS); // It may be for ever.
        Engine.Outcome outcome = engine.await(reader.strand(), reader::isReady, patience, true);
        if (outcome == Engine.Outcome.TIMED_OUT) {
            String missing = reader.waitsFor();
            throw new TimeoutException(
                    what
                            + " did not go on within its deadline; "
                            + (missing != null
                                    ? "bytes of " + missing + " have not come"
                                    : "the buffer pool may be exhausted: raise bufferPoolBytes or"
                                            + " close streams"));
        }
        if (outcome == Engine.Outcome.INTERRUPTED) {
            throw new CancelledException(what + " was interrupted");
        }
    }
}
