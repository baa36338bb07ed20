// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.file.BatchReader;
import io.crail.client.file.MemberFile;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch reader of a connected client. */
final class ConnectedBatchReader implements CrailBatchReader {
    private final BatchReader reader;
    private final PieceSource source;
    private final List<MemberInfo> members = new ArrayList<>();
    private final long length;
    private BatchReader.@Nullable Piece piece;
    private boolean closed;

    ConnectedBatchReader(Engine engine, BatchReader reader) {
        this.reader = reader;
        this.source = new PieceSource(engine, reader);
        long sum = 0;
        for (MemberFile member : reader.set().members()) {
            members.add(info(member));
            sum += member.length();
        }
        this.length = sum;
    }

    private static MemberInfo info(MemberFile member) {
        return new MemberInfo(member.name(), member.length(), member.node());
    }

    @Override
    public List<MemberInfo> members() {
        return Collections.unmodifiableList(members);
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public boolean next() throws CrailException {
        reader.strand().enter();
        try {
            if (closed) {
                throw new ClosedException(
                        "the reader of " + reader.set().path() + " is closed; open another one");
            }
            piece = null;
            piece = source.next();
            return piece != null;
        } finally {
            reader.strand().exit();
        }
    }

    private BatchReader.Piece piece() {
        BatchReader.Piece current = piece;
        if (current == null) {
            throw new IllegalStateException("there is no piece: call next() first");
        }
        return current;
    }

    @Override
    public MemberInfo member() {
        return info(piece().member());
    }

    @Override
    public long position() {
        return piece().position();
    }

    @Override
    public ByteBuffer bytes() {
        return piece().bytes();
    }

    @Override
    public void close() {
        reader.strand().enter();
        try {
            closed = true;
            piece = null;
            reader.close();
        } finally {
            reader.strand().exit();
        }
    }
}
