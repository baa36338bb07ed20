// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.view.HeldBlocks;
import io.crail.error.ClosedException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.List;

/** A view of a connected client. */
final class ConnectedView implements CrailView {
    private final String what;
    private final HeldBlocks held;
    private final Cleaner.Cleanable cleanable;
    private final long length;
    private final boolean zeroCopy;

    /**
     * @param forgotten run when this object is collected, and at its close; must not refer to it
     */
    ConnectedView(String what, HeldBlocks held, Cleaner cleaner, Runnable forgotten) {
        this.what = what;
        this.held = held;
        this.length = held.length();
        this.zeroCopy = length > 0 && held.isZeroCopy();
        this.cleanable = cleaner.register(this, forgotten);
    }

    @Override
    public List<ByteBuffer> buffers() throws ClosedException {
        List<ByteBuffer> buffers = held.buffers();
        if (held.isClosed()) {
            throw new ClosedException(what + ": the view is closed");
        }
        return buffers;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public boolean isZeroCopy() {
        return zeroCopy;
    }

    @Override
    public void close() {
        held.close();
        cleanable.clean();
    }
}
