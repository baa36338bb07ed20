// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of logical blocks on a medium whose units may be larger.
 *
 * <p>Buffers hold all units of the {@link Span} of a range, the range's bytes at the span's skew:
 * so a read needs no copy, and a write only has to fill in what its first and last unit hold
 * besides. Blocks of 4096 bytes always are whole units.
 *
 * <p>Thread-safe; each call is given a buffer that no other thread touches meanwhile.
 */
public final class MediumAccess {
    private static final int SCRATCH_BYTES = 64 << 10;

    /** Longest range that {@link #writeZeroes} takes. */
    public static final int ZERO_STEP = 1 << 20;

    private static final ByteBuffer ZEROS = DataPool.aligned(ZERO_STEP);

    /** Of a thread that reads or writes: one buffer for edges and comparisons. */
    private static final ThreadLocal<ByteBuffer> SCRATCH =
            ThreadLocal.withInitial(() -> DataPool.aligned(SCRATCH_BYTES));

    private final Medium medium;
    private final int unit;
    private final @Nullable EdgeLocks edges;

    public MediumAccess(Medium medium, int logicalBlockBytes) {
        this.medium = medium;
        this.unit = medium.alignment();
        this.edges = logicalBlockBytes < unit ? new EdgeLocks() : null;
    }

    /** As {@link Medium#directFile}. */
    public @Nullable Path directFile() {
        return medium.directFile();
    }

    public Span span(long position, int length) {
        return Span.around(position, length, unit);
    }

    /** Reads the units of a span to the beginning of {@code into}. */
    public void read(Span span, ByteBuffer into) throws IOException {
        medium.read(span.start(), into.clear().limit(span.bytes()));
    }

    /** Writes a range from {@code from}, where it lies at the span's skew. */
    public void write(Span span, ByteBuffer from) throws IOException {
        if (edges == null) {
            medium.write(span.start(), from.clear().limit(span.bytes()));
            return;
        }
        edges.lock(span);
        try {
            if (span.hasEdges()) {
                fillEdges(span, from);
            }
            medium.write(span.start(), from.clear().limit(span.bytes()));
        } finally {
            edges.unlock(span);
        }
    }

    private void fillEdges(Span span, ByteBuffer buffer) throws IOException {
        ByteBuffer scratch = SCRATCH.get();
        if (span.skew() > 0) {
            medium.read(span.start(), scratch.clear().limit(unit));
            buffer.put(0, scratch, 0, span.skew());
        }
        int end = span.skew() + span.length();
        int tail = end & unit - 1;
        if (tail > 0) {
            medium.read(span.start() + (end - tail), scratch.clear().limit(unit));
            buffer.put(end, scratch, tail, unit - tail);
        }
    }

    /** Writes zeros over a range of at most {@link #ZERO_STEP} bytes. */
    public void writeZeroes(long position, int length) throws IOException {
        long end = position + length;
        long whole = Math.min(end, position + unit - 1 & -unit);
        long wholeEnd = Math.max(whole, end & -unit);
        zeroPart(position, (int) (whole - position));
        if (wholeEnd > whole) {
            write(span(whole, (int) (wholeEnd - whole)), ZEROS.duplicate());
        }
        zeroPart(wholeEnd, (int) (end - wholeEnd));
    }

    /** Zeros in one unit, which keeps its other bytes. */
    private void zeroPart(long position, int length) throws IOException {
        if (length == 0) {
            return;
        }
        Span span = span(position, length);
        ByteBuffer scratch = SCRATCH.get();
        EdgeLocks locks = Objects.requireNonNull(edges, "blocks are whole units");
        locks.lock(span);
        try {
            read(span, scratch);
            scratch.put(span.skew(), ZEROS, 0, length);
            medium.write(span.start(), scratch.clear().limit(span.bytes()));
        } finally {
            locks.unlock(span);
        }
    }

    /** Whether a range has the bytes that lie at {@code at} of {@code expected}. */
    public boolean matches(long position, int length, ByteBuffer expected, int at)
            throws IOException {
        ByteBuffer scratch = SCRATCH.get();
        int step = SCRATCH_BYTES - unit;
        for (int done = 0; done < length; done += step) {
            Span span = span(position + done, Math.min(step, length - done));
            read(span, scratch);
            ByteBuffer here = scratch.slice(span.skew(), span.length());
            if (here.mismatch(expected.slice(at + done, span.length())) >= 0) {
                return false;
            }
        }
        return true;
    }

    public void flush() throws IOException {
        medium.flush();
    }
}
