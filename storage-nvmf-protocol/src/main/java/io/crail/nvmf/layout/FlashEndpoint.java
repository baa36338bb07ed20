// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

/**
 * Where clients find a namespace, as it stands in the host of an endpoint of transport {@code
 * nvmf}: {@code ADDRESS/NAMESPACE/g/NQN}, with {@code g} if the target guards blocks and {@code x}
 * if it does not know of them. 255 bytes at most.
 *
 * @param address host name or address literal
 * @param namespace NSID
 * @param guarded whether the target compares the {@link CommandTag} of each command
 * @param subsystem NQN of the subsystem
 */
public record FlashEndpoint(String address, int namespace, boolean guarded, String subsystem) {
    public static final String TRANSPORT = "nvmf";

    /** Longest host of an endpoint. */
    private static final int MAX_TEXT = 255;

    private static final int PARTS = 4;

    public FlashEndpoint {
        if (address.isEmpty() || address.indexOf('/') >= 0 || namespace <= 0) {
            throw new IllegalArgumentException(
                    "namespace " + namespace + " at '" + address + "' is no place of flash");
        }
    }

    /** As it stands in an endpoint. */
    public String text() {
        String text = address + "/" + namespace + "/" + (guarded ? "g" : "x") + "/" + subsystem;
        if (text.length() > MAX_TEXT) {
            throw new IllegalArgumentException(
                    text + " has more than " + MAX_TEXT + " characters; use a shorter address");
        }
        return text;
    }

    /**
     * Reads what {@link #text} made.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static FlashEndpoint parse(String text) {
        String[] parts = text.split("/", PARTS);
        if (parts.length != PARTS || !(parts[2].equals("g") || parts[2].equals("x"))) {
            throw new IllegalArgumentException("'" + text + "' is no place of flash");
        }
        try {
            return new FlashEndpoint(
                    parts[0], Integer.parseInt(parts[1]), parts[2].equals("g"), parts[3]);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' names no namespace", e);
        }
    }
}
