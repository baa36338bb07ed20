// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.property;

import org.jspecify.annotations.Nullable;

/** Properties that a fabric has, with offset and size (NVMe Base 2.0, section 3.1.3). */
public enum Property {
    /** Controller Capabilities: see {@link Capabilities}. */
    CAP(0x00, Long.BYTES),
    /** Version: see {@link Version}. */
    VS(0x08, Integer.BYTES),
    /** Controller Configuration: see {@link ControllerConfiguration}. */
    CC(0x14, Integer.BYTES),
    /** Controller Status: see {@link ControllerStatus}. */
    CSTS(0x1C, Integer.BYTES),
    /** NVM Subsystem Reset. */
    NSSR(0x20, Integer.BYTES),
    /** Controller Ready Timeouts. */
    CRTO(0x68, Integer.BYTES);

    private final int offset;
    private final int size;

    Property(int offset, int size) {
        this.offset = offset;
        this.size = size;
    }

    public int offset() {
        return offset;
    }

    /** 4 or 8 bytes. */
    public int size() {
        return size;
    }

    /** The property at that offset, or null. */
    public static @Nullable Property at(int offset) {
        for (Property each : values()) {
            if (each.offset == offset) {
                return each;
            }
        }
        return null;
    }
}
