// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.InvalidArgumentException;
import java.util.Map;

/**
 * What a client is told of this transport, checked.
 *
 * @param queueEntries of an I/O queue to ask targets for
 * @param headerDigests whether to ask for digests of headers
 * @param dataDigests whether to ask for digests of data
 * @param sharedMemory whether data goes through memory that a target of this host shares
 */
record PathOptions(
        int queueEntries, boolean headerDigests, boolean dataDigests, boolean sharedMemory) {
    static final String QUEUE_ENTRIES = "nvmf.queue_entries";
    static final String SHARED_MEMORY = "nvmf.shared_memory";
    static final String DIGESTS = "nvmf.digests";

    private static final int MAX_ENTRIES = 1024;

    static PathOptions of(Map<String, String> options) throws InvalidArgumentException {
        int entries = entries(options.getOrDefault(QUEUE_ENTRIES, "128"));
        boolean shared = flag(options.getOrDefault(SHARED_MEMORY, "true"));
        String digests = options.getOrDefault(DIGESTS, "off");
        return switch (digests) {
            case "off" -> new PathOptions(entries, false, false, shared);
            case "header" -> new PathOptions(entries, true, false, shared);
            case "data" -> new PathOptions(entries, false, true, shared);
            case "both" -> new PathOptions(entries, true, true, shared);
            default ->
                    throw new InvalidArgumentException(
                            DIGESTS + " is " + digests + "; possible: off, header, data, both");
        };
    }

    private static boolean flag(String text) throws InvalidArgumentException {
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new InvalidArgumentException(
                SHARED_MEMORY + " is " + text + "; possible: true, false");
    }

    private static int entries(String text) throws InvalidArgumentException {
        try {
            int entries = Integer.parseInt(text);
            if (entries >= 2 && entries <= MAX_ENTRIES) {
                return entries;
            }
        } catch (NumberFormatException e) {
            throw new InvalidArgumentException(QUEUE_ENTRIES + " is no number: " + text, e);
        }
        throw new InvalidArgumentException(
                QUEUE_ENTRIES + " is " + text + "; possible: 2 to " + MAX_ENTRIES);
    }
}
