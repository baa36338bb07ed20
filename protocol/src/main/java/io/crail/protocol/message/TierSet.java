// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** Steers what is moved between storage classes. */
public final class TierSet {
    /** {@link Request#paused} is stated. */
    public static final int PAUSED = 1;

    /** {@link Request#highPercent} and {@link Request#lowPercent} are stated. */
    public static final int MARKS = 2;

    /** {@link Request#bytesPerSecond} is stated. */
    public static final int RATE = 4;

    private TierSet() {}

    /**
     * Request 90.
     *
     * @param mask what is changed: {@link #PAUSED}, {@link #MARKS}, {@link #RATE}
     * @param paused nothing is planned from now on
     * @param highPercent high-water mark; 0 with lowPercent 0 = as configured
     * @param lowPercent low-water mark, below the high one
     * @param bytesPerSecond limit of each mover; 0 = its own
     */
    public record Request(
            int mask, boolean paused, int highPercent, int lowPercent, long bytesPerSecond)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.TIER_SET;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.u8(mask);
            writer.bool(paused);
            writer.u8(highPercent);
            writer.u8(lowPercent);
            writer.i64(bytesPerSecond);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.u8(), reader.bool(), reader.u8(), reader.u8(), reader.length64());
        }
    }

    /** Reply 90. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.TIER_SET;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
