// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.wire.property.Capabilities;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.property.Version;
import java.util.OptionalLong;

/**
 * The properties of a controller: what it can do, and whether it is enabled (NVMe Base 2.0, section
 * 3.1.3 and 3.5).
 *
 * <p>Enabling takes no time here, so CSTS follows CC at once; shutting down takes what the medium
 * takes for the commands that are there, which others know. A controller that was disabled cannot
 * be enabled again: over fabrics the host makes a new association.
 *
 * <p>Written by the thread of the admin queue, read by all.
 */
public final class Registers {
    /** The last version whose Identify structures are those that fabrics hosts ask for first. */
    public static final int VERSION = Version.of(1, 4, 0);

    private static final int READY_TIMEOUT_UNITS = 15;
    private static final int ENTRY_SIZE_OF_SUBMISSION = 6;
    private static final int ENTRY_SIZE_OF_COMPLETION = 4;

    /** What a write to CC means. */
    public enum Change {
        NONE,
        ENABLED,
        DISABLED,
        SHUT_DOWN,
        /** The value asks for what this controller does not have; nothing changed. */
        INVALID,
        /** It was disabled before, for good; nothing changed. */
        OUT_OF_SEQUENCE
    }

    private final long capabilities;
    private final boolean discovery;
    private volatile int configuration;
    private volatile boolean ready;
    private volatile boolean shutDown;
    private boolean wasDisabled;

    Registers(int maxQueueEntries, boolean discovery) {
        this.capabilities = Capabilities.of(maxQueueEntries, READY_TIMEOUT_UNITS);
        this.discovery = discovery;
    }

    public long capabilities() {
        return capabilities;
    }

    public boolean isReady() {
        return ready;
    }

    /** The value of a property, or nothing if there is none of that offset and size. */
    public OptionalLong get(int offset, int size) {
        Property property = Property.at(offset);
        if (property == null || property.size() != size) {
            return OptionalLong.empty();
        }
        return switch (property) {
            case CAP -> OptionalLong.of(capabilities);
            case VS -> OptionalLong.of(VERSION);
            case CC -> OptionalLong.of(configuration & 0xFFFF_FFFFL);
            case CSTS -> OptionalLong.of(status());
            default -> OptionalLong.empty();
        };
    }

    private int status() {
        int shutdown =
                shutDown ? ControllerStatus.SHUTDOWN_COMPLETE : ControllerStatus.SHUTDOWN_NORMAL;
        return ControllerStatus.of(ready, false, shutdown);
    }

    /** CSTS of a controller whose commands are not all through. */
    public static long stillShuttingDown(long csts) {
        int status = (int) csts;
        return ControllerStatus.shutdown(status) == ControllerStatus.SHUTDOWN_COMPLETE
                ? ControllerStatus.of(
                        ControllerStatus.isReady(status),
                        ControllerStatus.isFatal(status),
                        ControllerStatus.SHUTDOWN_OCCURRING)
                : csts;
    }

    /** Writes CC. */
    public Change configure(int cc) {
        boolean enable = ControllerConfiguration.isEnabled(cc);
        if (enable && !isSupported(cc)) {
            return Change.INVALID;
        }
        if (enable && wasDisabled) {
            return Change.OUT_OF_SEQUENCE;
        }
        boolean wasEnabled = ControllerConfiguration.isEnabled(configuration);
        boolean shut =
                ControllerConfiguration.shutdown(cc) != ControllerConfiguration.SHUTDOWN_NONE;
        configuration = cc;
        if (wasEnabled && !enable) {
            wasDisabled = true;
            ready = false;
            shutDown = shut;
            return Change.DISABLED;
        }
        if (shut && !shutDown) {
            shutDown = true;
            return Change.SHUT_DOWN;
        }
        if (enable && !wasEnabled) {
            ready = true;
            return Change.ENABLED;
        }
        return Change.NONE;
    }

    private boolean isSupported(int cc) {
        // A discovery controller has no I/O queues, so hosts may leave the sizes of entries out.
        boolean entries =
                discovery
                        || (ControllerConfiguration.submissionEntrySize(cc)
                                        == ENTRY_SIZE_OF_SUBMISSION
                                && ControllerConfiguration.completionEntrySize(cc)
                                        == ENTRY_SIZE_OF_COMPLETION);
        return entries
                && ControllerConfiguration.commandSet(cc) == 0
                && ControllerConfiguration.pageSize(cc) == 0
                && ControllerConfiguration.arbitration(cc) == 0;
    }
}
