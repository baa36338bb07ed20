// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.reservation;

import org.jspecify.annotations.Nullable;

/** RTYPE: what a reservation keeps from whom (NVMe Base 2.0, section 8.19). */
public enum ReservationType {
    WRITE_EXCLUSIVE(1, false, false),
    EXCLUSIVE_ACCESS(2, true, false),
    WRITE_EXCLUSIVE_REGISTRANTS_ONLY(3, false, true),
    EXCLUSIVE_ACCESS_REGISTRANTS_ONLY(4, true, true),
    WRITE_EXCLUSIVE_ALL_REGISTRANTS(5, false, true),
    EXCLUSIVE_ACCESS_ALL_REGISTRANTS(6, true, true);

    private final int code;
    private final boolean keepsFromReading;
    private final boolean admitsRegistrants;

    ReservationType(int code, boolean keepsFromReading, boolean admitsRegistrants) {
        this.code = code;
        this.keepsFromReading = keepsFromReading;
        this.admitsRegistrants = admitsRegistrants;
    }

    public int code() {
        return code;
    }

    /** Whether it keeps others from reading, too. */
    public boolean keepsFromReading() {
        return keepsFromReading;
    }

    /** Whether registrants that do not hold it have the holder's access. */
    public boolean admitsRegistrants() {
        return admitsRegistrants;
    }

    /** Whether every registrant is a holder. */
    public boolean isHeldByAllRegistrants() {
        return code >= 5;
    }

    /** The bit of RESCAP in Identify Namespace that says it is supported. */
    public int capability() {
        return 1 << code;
    }

    /** The type with that code, or null. */
    public static @Nullable ReservationType ofCode(int code) {
        for (ReservationType each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }
}
