// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.limit.PieceStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What a {@link CopyingProgram} does with a piece that it has read, or is about to write. */
interface PieceUse extends AutoCloseable {
    /**
     * Takes or makes all bytes.
     *
     * @param piece from its beginning to its capacity; only this call uses it
     */
    void with(ByteBuffer piece) throws IOException;

    @Override
    default void close() throws IOException {}

    /**
     * Copies it from or to other memory.
     *
     * @param other as large
     * @param write whether it will be written
     */
    record Copy(ByteBuffer other, boolean write) implements PieceUse {
        @Override
        public void with(ByteBuffer piece) {
            if (write) {
                piece.put(0, other, 0, piece.capacity());
            } else {
                other.put(0, piece, 0, piece.capacity());
            }
        }
    }

    /**
     * Sends it to another process or has it from there.
     *
     * @param stream closed with this
     */
    record Transfer(PieceStream stream) implements PieceUse {
        @Override
        public void with(ByteBuffer piece) throws IOException {
            stream.move(piece.duplicate().clear());
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
