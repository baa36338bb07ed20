// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.log.MetadataFiles;
import io.crail.namenode.rpc.LoopEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a namenode takes from the machine it runs on; tests put others in its place. Immutable.
 *
 * @param files the file operations of log and snapshots
 * @param clock wall clock, for the times that users see
 * @param nanoTime monotonic clock, for timeouts; called by the engine thread
 * @param random for tokens, keys and placement
 * @param bootId changes with every boot of the host; empty if unknown
 * @param loop network and clock of the server's loop
 */
public record HostEnvironment(
        MetadataFiles files,
        Clock clock,
        LongSupplier nanoTime,
        SecureRandom random,
        String bootId,
        LoopEnvironment loop) {
    private static final Logger LOG = LoggerFactory.getLogger(HostEnvironment.class);
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** The real machine. */
    public static HostEnvironment ofSystem() {
        return new HostEnvironment(
                MetadataFiles.ofSystem(),
                Clock.systemUTC(),
                System::nanoTime,
                new SecureRandom(),
                readBootId(),
                LoopEnvironment.SYSTEM);
    }

    private static String readBootId() {
        try {
            return Files.readString(BOOT_ID).trim();
        } catch (IOException e) {
            LOG.debug("the boot id of this host is unknown: {}", e.toString());
            return "";
        }
    }
}
