// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.view;

import io.crail.client.spi.BlockLoan;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one view holds: loans of memory, and copies where there was none to lend. Collects pieces
 * while the view is being made; a piece that comes after the end is given back at once. Refers to
 * nothing of the public view, whose disappearance it must notice. Thread-safe.
 */
public final class HeldBlocks implements AutoCloseable {
    private static final byte POISON = (byte) 0xDB;

    private record Piece(ByteBuffer bytes, @Nullable BlockLoan loan) {}

    private final OpenViews views;
    private final Map<Long, Piece> pieces = new TreeMap<>();
    private int reserved;
    private boolean closed;

    HeldBlocks(OpenViews views) {
        this.views = views;
    }

    /** Whether everything is to be copied, so that it can be overwritten at the end. */
    public boolean copies() {
        return views.poisons();
    }

    /** Makes room for a piece; one {@link #add} or {@link #giveUp} follows. */
    public synchronized void reserve() throws CrailException {
        if (closed) {
            throw new ClosedException("the view is closed");
        }
        views.reserve();
        reserved++;
    }

    /** As {@link #reserve}; false if there is no room. */
    public synchronized boolean tryReserve() {
        if (closed || !views.tryReserve()) {
            return false;
        }
        reserved++;
        return true;
    }

    /** The room is not needed after all. */
    public synchronized void giveUp() {
        if (!closed) {
            reserved--;
            views.free(1);
        }
    }

    /**
     * Adds a piece.
     *
     * @param offset orders the pieces
     * @param loan where the bytes belong to; null: they are a copy
     */
    public synchronized void add(long offset, ByteBuffer bytes, @Nullable BlockLoan loan) {
        if (!closed) {
            pieces.put(offset, new Piece(bytes, loan));
        } else if (loan != null) {
            loan.close();
        }
    }

    /** The pieces in order, read-only. */
    public synchronized List<ByteBuffer> buffers() {
        List<ByteBuffer> buffers = new ArrayList<>(pieces.size());
        for (Piece piece : pieces.values()) {
            buffers.add(piece.bytes.asReadOnlyBuffer());
        }
        return List.copyOf(buffers);
    }

    /** Whether nothing was copied. */
    public synchronized boolean isZeroCopy() {
        for (Piece piece : pieces.values()) {
            if (piece.loan == null) {
                return false;
            }
        }
        return true;
    }

    /** Bytes of all pieces. */
    public synchronized long length() {
        long sum = 0;
        for (Piece piece : pieces.values()) {
            sum += piece.bytes.remaining();
        }
        return sum;
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        end();
    }

    /** Gives everything back; false if that was done before. */
    public boolean end() {
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            pieces.values().forEach(this::giveBack);
            pieces.clear();
            views.free(reserved);
        }
        views.ended(this);
        return true;
    }

    private void giveBack(Piece piece) {
        if (piece.loan != null) {
            piece.loan.close();
        } else if (views.poisons()) {
            for (int i = 0; i < piece.bytes.capacity(); i++) {
                piece.bytes.put(i, POISON);
            }
        }
    }
}
