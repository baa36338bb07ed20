// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

/**
 * Opcodes of I/O commands (NVM Command Set 1.0, section 3.2, and NVMe Base 2.0, section 7). Bits
 * 1:0 say which way data goes.
 */
public final class IoOpcode {
    public static final int FLUSH = 0x00;
    public static final int WRITE = 0x01;
    public static final int READ = 0x02;
    public static final int COMPARE = 0x05;
    public static final int WRITE_ZEROES = 0x08;
    public static final int DATASET_MANAGEMENT = 0x09;
    public static final int RESERVATION_REGISTER = 0x0D;
    public static final int RESERVATION_REPORT = 0x0E;
    public static final int RESERVATION_ACQUIRE = 0x11;
    public static final int RESERVATION_RELEASE = 0x15;

    /** Vendor specific: see {@link SharedMemoryCommand}. */
    public static final int USE_MEMORY = 0x80;

    /** Vendor specific: see {@link SharedMemoryCommand}. */
    public static final int SHARE_MEMORY = 0x82;

    private IoOpcode() {}
}
