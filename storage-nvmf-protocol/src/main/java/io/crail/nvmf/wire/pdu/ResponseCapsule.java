// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

/**
 * CapsuleResp: a completion entry from byte 8, from the controller (TCP transport 1.0, section
 * 3.6.2.7).
 */
public final class ResponseCapsule {
    /** Where the completion entry lies. */
    public static final int COMPLETION_ENTRY = 8;

    /** Header without digest. */
    public static final int SIZE = 24;

    private ResponseCapsule() {}
}
