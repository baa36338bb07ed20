// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes Netty receive into the buffer that the connection names: that is how payload reaches the
 * segment without a copy. Reads on while the kernel fills the whole buffer, up to a bound that
 * keeps one busy connection from starving the others of its event loop.
 */
final class Receiver implements RecvByteBufAllocator {
    private static final int MAX_READS = 16;

    private final ConnectionInput input;

    Receiver(ConnectionInput input) {
        this.input = input;
    }

    @Override
    public ExtendedHandle newHandle() {
        return new Handle();
    }

    private final class Handle implements ExtendedHandle {
        private @Nullable ChannelConfig config;
        private int reads;
        private int attempted;
        private int last;

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return input.nextTarget(allocator);
        }

        @Override
        public int guess() {
            return ConnectionInput.MAX_CONTROL;
        }

        @Override
        public void reset(ChannelConfig config) {
            this.config = config;
            reads = 0;
            attempted = 0;
            last = 0;
        }

        @Override
        public void incMessagesRead(int count) {
            reads += count;
        }

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
        }

        @Override
        public int lastBytesRead() {
            return last;
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            attempted = bytes;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return continueReading(() -> attempted == last);
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
            return config != null
                    && config.isAutoRead()
                    && last > 0
                    && reads < MAX_READS
                    && maybeMoreData.get();
        }

        @Override
        public void readComplete() {}
    }
}
