// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import org.jspecify.annotations.Nullable;

/** The types of PDUs, their senders and the lengths of their headers (TCP transport 1.0, 3.6). */
public enum PduType {
    IC_REQ(0x00, 128, Sender.HOST, Payload.NONE),
    IC_RESP(0x01, 128, Sender.CONTROLLER, Payload.NONE),
    H2C_TERM_REQ(0x02, 24, Sender.HOST, Payload.FAULTY_HEADER),
    C2H_TERM_REQ(0x03, 24, Sender.CONTROLLER, Payload.FAULTY_HEADER),
    CAPSULE_CMD(0x04, 72, Sender.HOST, Payload.DATA),
    CAPSULE_RESP(0x05, 24, Sender.CONTROLLER, Payload.NONE),
    H2C_DATA(0x06, 24, Sender.HOST, Payload.DATA),
    C2H_DATA(0x07, 24, Sender.CONTROLLER, Payload.DATA),
    R2T(0x09, 24, Sender.CONTROLLER, Payload.NONE);

    /** Which end sends it. */
    public enum Sender {
        HOST,
        CONTROLLER
    }

    /** What follows the header. */
    enum Payload {
        NONE,
        /** Of a request to terminate: the header that was at fault, straight behind. */
        FAULTY_HEADER,
        /** At the data offset, with a digest if that was negotiated. */
        DATA
    }

    /** The longest header of all, without digest. */
    public static final int MAX_HEADER_LENGTH = 128;

    private static final @Nullable PduType[] BY_CODE = new @Nullable PduType[10];

    static {
        for (PduType each : values()) {
            BY_CODE[each.code] = each;
        }
    }

    private final int code;
    private final int headerLength;
    private final Sender sender;
    private final Payload payload;

    PduType(int code, int headerLength, Sender sender, Payload payload) {
        this.code = code;
        this.headerLength = headerLength;
        this.sender = sender;
        this.payload = payload;
    }

    public int code() {
        return code;
    }

    /** HLEN: the header, common part included, without digest. */
    public int headerLength() {
        return headerLength;
    }

    public Sender sender() {
        return sender;
    }

    /** Whether data of a command may follow the header. */
    public boolean mayCarryData() {
        return payload == Payload.DATA;
    }

    /** Those that set up or end a connection never have digests. */
    boolean mayHaveDigests() {
        return this != IC_REQ && this != IC_RESP && payload != Payload.FAULTY_HEADER;
    }

    Payload payload() {
        return payload;
    }

    /** The type with that code, or null. */
    public static @Nullable PduType ofCode(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
