// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where clients find a namespace, as it stands in the host of an endpoint of transport {@code
 * nvmf}: {@code ADDRESS/NAMESPACE/ACCESS/NQN}. ACCESS is {@code g} if the target guards blocks, and
 * {@code x:FABRIC:MILLIS} if it does not know of them: then clients ask it to give them up after so
 * much silence, which a storage server counts on. 255 bytes at most.
 *
 * @param address host name or address literal
 * @param namespace NSID
 * @param guarded whether the target compares the {@link CommandTag} of each command
 * @param fabric scheme of what carries the commands: {@code tcp}, {@code rdma}
 * @param keepAliveMillis timeout that clients ask for; 0 for their own choice
 * @param subsystem NQN of the subsystem
 */
public record FlashEndpoint(
        String address,
        int namespace,
        boolean guarded,
        String fabric,
        int keepAliveMillis,
        String subsystem) {
    public static final String TRANSPORT = "nvmf";

    /** What carries the commands of a target that guards blocks. */
    private static final String TCP = "tcp";

    /** Longest host of an endpoint. */
    private static final int MAX_TEXT = 255;

    private static final Pattern TEXT =
            Pattern.compile("([^/]+)/(\\d{1,9})/(?:g|x:([a-z]{1,16}):(\\d{1,9}))/(.+)");

    public FlashEndpoint {
        if (address.isEmpty() || address.indexOf('/') >= 0 || namespace <= 0) {
            throw new IllegalArgumentException(
                    "namespace " + namespace + " at '" + address + "' is no place of flash");
        }
    }

    /** At a target that guards blocks. */
    public static FlashEndpoint guarded(String address, int namespace, String subsystem) {
        return new FlashEndpoint(address, namespace, true, TCP, 0, subsystem);
    }

    /** At a target that does not know of blocks. */
    public static FlashEndpoint external(
            String fabric, String address, int namespace, int keepAliveMillis, String subsystem) {
        return new FlashEndpoint(address, namespace, false, fabric, keepAliveMillis, subsystem);
    }

    /** As it stands in an endpoint. */
    public String text() {
        String access = guarded ? "g" : "x:" + fabric + ":" + keepAliveMillis;
        String text = address + "/" + namespace + "/" + access + "/" + subsystem;
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
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no place of flash");
        }
        int namespace = Integer.parseInt(parts.group(2));
        String fabric = parts.group(3);
        return fabric == null
                ? guarded(parts.group(1), namespace, parts.group(5))
                : external(
                        fabric,
                        parts.group(1),
                        namespace,
                        Integer.parseInt(parts.group(4)),
                        parts.group(5));
    }
}
