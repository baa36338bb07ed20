// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.status;

/** Status code type, SCT (NVMe Base 2.0, section 3.3.3.2.1). */
public enum StatusCodeType {
    GENERIC(0),
    COMMAND_SPECIFIC(1),
    MEDIA(2),
    PATH(3),
    RESERVED_4(4),
    RESERVED_5(5),
    RESERVED_6(6),
    VENDOR(7);

    private static final StatusCodeType[] BY_CODE = new StatusCodeType[8];

    static {
        for (StatusCodeType each : values()) {
            BY_CODE[each.code] = each;
        }
    }

    private final int code;

    StatusCodeType(int code) {
        this.code = code;
    }

    /** Three bits. */
    public int code() {
        return code;
    }

    /** The type of the lower three bits of {@code code}. */
    public static StatusCodeType of(int code) {
        return BY_CODE[code & 7];
    }
}
