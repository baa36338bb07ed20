// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

/** Opcodes of admin commands (NVMe Base 2.0, section 5). Bits 1:0 say which way data goes. */
public final class AdminOpcode {
    public static final int GET_LOG_PAGE = 0x02;
    public static final int IDENTIFY = 0x06;
    public static final int ABORT = 0x08;
    public static final int SET_FEATURES = 0x09;
    public static final int GET_FEATURES = 0x0A;
    public static final int ASYNC_EVENT_REQUEST = 0x0C;
    public static final int KEEP_ALIVE = 0x18;

    /** All fabrics commands; {@link FabricsCommand} tells them apart. */
    public static final int FABRICS = 0x7F;

    private AdminOpcode() {}
}
