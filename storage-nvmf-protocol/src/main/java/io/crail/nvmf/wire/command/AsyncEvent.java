// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import java.nio.ByteBuffer;

/**
 * Asynchronous Event Request and what completes it (NVMe Base 2.0, section 5.2): DW0 bits 2:0 type,
 * bits 15:8 information, bits 23:16 log page that clears the event.
 */
public final class AsyncEvent {
    public static final int TYPE_ERROR = 0;
    public static final int TYPE_SMART = 1;
    public static final int TYPE_NOTICE = 2;
    public static final int TYPE_IO_COMMAND_SET = 6;

    /** Of an error: some commands failed by a fault that may pass. */
    public static final int TRANSIENT_INTERNAL_ERROR = 0x04;

    /** Of a notice: the list of namespaces, or one of them, changed. */
    public static final int NAMESPACE_CHANGED = 0x00;

    /** Of a notice: the discovery log page changed. */
    public static final int DISCOVERY_CHANGED = 0xF0;

    /** Of an event of the I/O command set: the reservation log page is there. */
    public static final int RESERVATION_LOG = 0x00;

    /** Bit of the feature {@link FeatureId#ASYNC_EVENTS} for {@link #NAMESPACE_CHANGED}. */
    public static final int CONFIGURE_NAMESPACE = 1 << 8;

    /** Bit of the feature {@link FeatureId#ASYNC_EVENTS} for {@link #DISCOVERY_CHANGED}. */
    public static final int CONFIGURE_DISCOVERY = 1 << 31;

    private AsyncEvent() {}

    public static void encodeRequest(ByteBuffer buffer, int at, int commandId) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.ASYNC_EVENT_REQUEST, commandId, 0);
    }

    /** DW0 of the completion. */
    public static int of(int type, int information, int logPage) {
        return (type & 7) | ((information & 0xFF) << 8) | ((logPage & 0xFF) << 16);
    }

    public static int type(int dw0) {
        return dw0 & 7;
    }

    public static int information(int dw0) {
        return (dw0 >>> 8) & 0xFF;
    }

    public static int logPage(int dw0) {
        return (dw0 >>> 16) & 0xFF;
    }
}
