// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.fabric.Fabrics;
import io.crail.nvmf.initiator.NvmeAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A namespace at a target that is not our own.
 *
 * @param fabric scheme of what carries commands there
 * @param address where the subsystem is
 * @param namespace NSID
 */
record TargetAddress(String fabric, NvmeAddress address, int namespace) {
    private static final Pattern TARGET =
            Pattern.compile("([a-z]{1,16}):(?:\\[([0-9a-fA-F:.%]+)]|([^:/\\[\\]]+)):(\\d{1,5})");
    private static final String WANTED = "wanted: tcp:HOST:PORT or rdma:HOST:PORT";

    /**
     * Reads what an operator wrote.
     *
     * @param target {@code tcp:HOST:PORT}; an IPv6 address in brackets
     * @param subsystem NQN
     */
    static TargetAddress parse(String target, String subsystem, int namespace)
            throws InvalidArgumentException {
        Matcher parts = TARGET.matcher(target);
        if (!parts.matches()) {
            throw new InvalidArgumentException("--target '" + target + "' is none; " + WANTED);
        }
        String fabric = parts.group(1);
        if (!fabric.equals(Fabrics.TCP) && !fabric.equals(Fabrics.RDMA)) {
            throw new InvalidArgumentException(
                    "--target '" + target + "': nobody knows '" + fabric + "'; " + WANTED);
        }
        if (subsystem.isEmpty()) {
            throw new InvalidArgumentException(
                    "--target " + target + " needs the name of its subsystem: --nqn");
        }
        if (namespace <= 0) {
            throw new InvalidArgumentException(
                    "--namespace " + namespace + ": namespaces are numbered from 1");
        }
        try {
            String host = parts.group(2) != null ? parts.group(2) : parts.group(3);
            int port = Integer.parseInt(parts.group(4));
            return new TargetAddress(fabric, new NvmeAddress(host, port, subsystem), namespace);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(
                    "--target " + target + " --nqn " + subsystem + ": " + e.getMessage(), e);
        }
    }

    /** For messages. */
    @Override
    public String toString() {
        return "namespace " + namespace + " of " + fabric + ":" + address;
    }
}
