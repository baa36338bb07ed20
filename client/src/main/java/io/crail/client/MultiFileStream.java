// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.file.BatchReader;
import io.crail.client.file.MemberFile;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The members of a multifile in order of their names, as one stream. */
final class MultiFileStream extends CrailInputStream {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final BatchReader reader;
    private final PieceSource source;

    /** Where each member begins, and at last where the last one ends. */
    private final long[] starts;

    private final byte[] one = new byte[1];
    private ByteBuffer left = NOTHING;
    private long position;
    private boolean closed;

    MultiFileStream(Engine engine, BatchReader reader) {
        this.reader = reader;
        this.source = new PieceSource(engine, reader);
        List<MemberFile> members = reader.set().members();
        this.starts = new long[members.size() + 1];
        for (int i = 0; i < members.size(); i++) {
            starts[i + 1] = starts[i] + members.get(i).length();
        }
    }

    private long end() {
        return starts[starts.length - 1];
    }

    @Override
    public int read() throws CrailException {
        int read = read(ByteBuffer.wrap(one));
        return read < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws CrailException {
        Objects.checkFromIndexSize(offset, length, target.length);
        return read(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public int read(ByteBuffer target) throws CrailException {
        if (!target.hasRemaining()) {
            return 0;
        }
        reader.strand().enter();
        try {
            checkOpen();
            int total = 0;
            while (target.hasRemaining() && (left.hasRemaining() || advance(total == 0))) {
                int length = Math.min(target.remaining(), left.remaining());
                target.put(left.slice(left.position(), length));
                left.position(left.position() + length);
                position += length;
                total += length;
            }
            return total == 0 ? -1 : total;
        } finally {
            reader.strand().exit();
        }
    }

    /** Goes on to the next piece, which is waited for if {@code wait}; false if there is none. */
    private boolean advance(boolean wait) throws CrailException {
        left = NOTHING;
        BatchReader.@Nullable Piece piece = wait ? source.next() : reader.take();
        if (piece == null) {
            return false;
        }
        left = piece.bytes();
        return true;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void seek(long target) throws IOException {
        reader.strand().enter();
        try {
            checkOpen();
            if (target < 0) {
                throw new InvalidArgumentException(
                        reader.set().path() + ": negative position " + target);
            }
            if (target > end()) {
                throw new EOFException(
                        reader.set().path() + " has " + end() + " bytes; cannot seek to " + target);
            }
            moveTo(target);
        } finally {
            reader.strand().exit();
        }
    }

    private void moveTo(long target) {
        if (target >= position && target - position <= left.remaining()) {
            left.position(left.position() + (int) (target - position));
        } else {
            left = NOTHING;
            int found = Arrays.binarySearch(starts, target);
            int member = found >= 0 ? found : -found - 2;
            reader.seek(Math.min(member, starts.length - 1), target - starts[member]);
        }
        position = target;
    }

    @Override
    public long skip(long bytes) throws CrailException {
        reader.strand().enter();
        try {
            checkOpen();
            long skipped = Math.max(0, Math.min(bytes, end() - position));
            moveTo(position + skipped);
            return skipped;
        } finally {
            reader.strand().exit();
        }
    }

    @Override
    public int available() throws CrailException {
        reader.strand().enter();
        try {
            checkOpen();
            return left.remaining();
        } finally {
            reader.strand().exit();
        }
    }

    private void checkOpen() throws ClosedException {
        if (closed) {
            throw new ClosedException("the stream over " + reader.set().path() + " is closed");
        }
    }

    @Override
    public void close() {
        reader.strand().enter();
        try {
            closed = true;
            left = NOTHING;
            reader.close();
        } finally {
            reader.strand().exit();
        }
    }
}
