// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

/**
 * CapsuleCmd: a command of the host, its submission entry from byte 8, perhaps with data in the
 * capsule (TCP transport 1.0, section 3.6.2.6). The offset of an in-capsule SGL descriptor counts
 * from the data in the PDU, so it is 0 (section 3.4.2: ICDOFF is 0).
 */
public final class CommandCapsule {
    /** Where the submission entry lies. */
    public static final int SUBMISSION_ENTRY = 8;

    /** Header without digest. */
    public static final int SIZE = 72;

    private CommandCapsule() {}
}
