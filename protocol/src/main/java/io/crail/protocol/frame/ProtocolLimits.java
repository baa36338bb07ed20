// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.frame;

/** Limits that both ends of a connection know. Those a server may lower are told in the hello. */
public final class ProtocolLimits {
    /** The protocol version this code speaks. */
    public static final int VERSION = 1;

    /** The oldest version this code still understands: N talks to N-1 once there is an N-1. */
    public static final int MIN_VERSION = 1;

    /** First eight bytes of the control part of a hello, "CRAIL-01" read as little-endian. */
    public static final long HELLO_MAGIC = 0x31302D4C49415243L;

    /** Largest payload of one READ or WRITE, and largest block: 1 MiB. */
    public static final int MAX_PAYLOAD = 1 << 20;

    /** Largest control part of a frame. */
    public static final int MAX_CONTROL = 256 << 10;

    /** Largest frame on client connections. */
    public static final int MAX_FRAME = FrameHeader.SIZE + MAX_CONTROL + MAX_PAYLOAD;

    /** Largest frame of a hello: before it nobody may make a server hold more memory than this. */
    public static final int MAX_HELLO_FRAME = 4096;

    /** Unacknowledged mutations of one session; one more is answered {@code BUSY}. */
    public static final int MAX_UNACKNOWLEDGED = 1024;

    /** Block references in one answer. */
    public static final int MAX_REFERENCES = 64;

    /** Entries in one page of a listing or scan. */
    public static final int MAX_PAGE = 1024;

    /** Longest error message on the wire, in bytes of UTF-8; longer ones are cut. */
    public static final int MAX_ERROR_MESSAGE = 1024;

    /** Deadline of an operation whose caller states none, in milliseconds. */
    public static final int DEFAULT_DEADLINE_MILLIS = 30_000;

    private ProtocolLimits() {}
}
