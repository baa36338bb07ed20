// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * What operators have set of the movement between storage classes.
 *
 * @param paused nothing is planned
 * @param highPercent high-water mark, 0 = as configured
 * @param lowPercent low-water mark, 0 = as configured
 * @param bytesPerSecond limit of each mover, 0 = its own
 */
public record Tiering(boolean paused, int highPercent, int lowPercent, long bytesPerSecond) {
    /** Nobody has set anything. */
    public static final Tiering AS_CONFIGURED = new Tiering(false, 0, 0, 0);

    void encode(WireWriter writer) {
        writer.bool(paused).u8(highPercent).u8(lowPercent).i64(bytesPerSecond);
    }

    static Tiering decode(WireReader reader) throws ProtocolException {
        return new Tiering(reader.bool(), reader.u8(), reader.u8(), reader.length64());
    }
}
