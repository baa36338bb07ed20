// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import java.nio.ByteBuffer;

/**
 * Get Features and Set Features (NVMe Base 2.0, sections 5.15 and 5.27): CDW10 bits 7:0 FID, of Get
 * bits 10:8 SEL, of Set bit 31 SV; CDW11 the value of most features, which Get returns in DW0.
 */
public final class FeaturesCommand {
    /** SEL: the value in force. */
    public static final int SELECT_CURRENT = 0;

    public static final int SELECT_DEFAULT = 1;
    public static final int SELECT_SAVED = 2;

    /** SEL: bit 0 saveable, bit 1 per namespace, bit 2 changeable. */
    public static final int SELECT_CAPABILITIES = 3;

    private static final int SAVE = 1 << 31;

    private FeaturesCommand() {}

    public static void encodeGet(
            ByteBuffer buffer, int at, int commandId, int namespaceId, int feature, int select) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.GET_FEATURES, commandId, namespaceId);
        SubmissionEntry.cdw10(buffer, at, (feature & 0xFF) | ((select & 7) << 8));
    }

    /**
     * Writes a Set Features that changes a feature until the next reset.
     *
     * @param value CDW11
     */
    public static void encodeSet(
            ByteBuffer buffer, int at, int commandId, int namespaceId, int feature, int value) {
        SubmissionEntry.encode(buffer, at, AdminOpcode.SET_FEATURES, commandId, namespaceId);
        SubmissionEntry.cdw10(buffer, at, feature & 0xFF);
        SubmissionEntry.cdw11(buffer, at, value);
    }

    /** FID. */
    public static int feature(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) & 0xFF;
    }

    /** SEL, of Get Features. */
    public static int select(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw10(buffer, at) >>> 8) & 7;
    }

    /** SV, of Set Features: the value shall outlive a reset. */
    public static boolean isSave(ByteBuffer buffer, int at) {
        return (SubmissionEntry.cdw10(buffer, at) & SAVE) != 0;
    }

    /** CDW11. */
    public static int value(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw11(buffer, at);
    }
}
