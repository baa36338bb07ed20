// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.log;

import io.crail.nvmf.wire.FixedText;
import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * Log page Firmware Slot Information, 512 bytes (NVMe Base 2.0, section 5.16.1.4): byte 0 AFI, from
 * byte 8 the revision of each of seven slots, 8 bytes of ASCII.
 */
public final class FirmwareSlots {
    public static final int SIZE = 512;
    public static final int SLOTS = 7;

    private static final int REVISION = 8;
    private static final int REVISION_LENGTH = 8;

    private FirmwareSlots() {}

    /** The slot in use, 1..7. */
    public static int activeSlot(ByteBuffer buffer, int at) {
        return LittleEndian.u8(buffer, at) & 7;
    }

    public static void activeSlot(ByteBuffer buffer, int at, int slot) {
        LittleEndian.u8(buffer, at, slot & 7);
    }

    /** The revision in a slot, 1..7; empty if there is none. */
    public static String revision(ByteBuffer buffer, int at, int slot) {
        return FixedText.getSpaced(buffer, position(at, slot), REVISION_LENGTH);
    }

    public static void revision(ByteBuffer buffer, int at, int slot, String value) {
        FixedText.putSpaced(buffer, position(at, slot), REVISION_LENGTH, value);
    }

    private static int position(int at, int slot) {
        return at + REVISION + (slot - 1) * REVISION_LENGTH;
    }
}
