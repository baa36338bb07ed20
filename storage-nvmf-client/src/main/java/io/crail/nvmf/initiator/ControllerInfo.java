// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.identify.LocalSocketField;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a controller said about itself.
 *
 * @param id CNTLID
 * @param version VS
 * @param maxTransferBytes most data of a command, by MDTS and by this host's own limit
 * @param inCapsuleBytes most data that the capsule of an I/O command may carry
 * @param maxCommands most commands at a time on an I/O queue
 * @param ioCommands ONCS
 * @param keepAliveUnits KAS, 0 if there is no keep-alive timer
 * @param keepAlive silence after which it gives this host up; zero if it never does
 * @param abortLimit Aborts at a time
 * @param asyncEvents OAES
 * @param hasWriteCache whether writes need a flush to be lasting
 * @param sharesMemory whether hosts on its machine may ask for memory to share
 * @param takesRiders whether it moves riders with data that lies there
 * @param localSocket a Unix socket that it has for hosts on its machine; null for none
 */
public record ControllerInfo(
        int id,
        int version,
        String serialNumber,
        String model,
        String firmware,
        int maxTransferBytes,
        int inCapsuleBytes,
        int maxCommands,
        int ioCommands,
        int keepAliveUnits,
        Duration keepAlive,
        int abortLimit,
        int asyncEvents,
        boolean hasWriteCache,
        boolean sharesMemory,
        boolean takesRiders,
        @Nullable LocalSocketField localSocket) {
    private static final int SUBMISSION_ENTRY_BYTES = 64;
    private static final int CAPSULE_UNIT = 16;

    static ControllerInfo of(
            ByteBuffer data,
            int controllerId,
            int version,
            int minPageSize,
            int transferLimit,
            Duration keepAlive) {
        int shift = ControllerData.maxTransferSize(data, 0);
        long byTarget = shift == 0 || shift > 30 ? Long.MAX_VALUE : (long) minPageSize << shift;
        long capsule = ControllerData.commandCapsuleSize(data, 0) * CAPSULE_UNIT;
        boolean capsules = ControllerData.inCapsuleDataOffset(data, 0) == 0;
        int maxCommands = ControllerData.maxCommands(data, 0);
        return new ControllerInfo(
                controllerId,
                version,
                ControllerData.serialNumber(data, 0),
                ControllerData.model(data, 0),
                ControllerData.firmware(data, 0),
                (int) Math.min(byTarget, transferLimit),
                capsules
                        ? (int) Math.max(0, Math.min(capsule - SUBMISSION_ENTRY_BYTES, 1 << 20))
                        : 0,
                maxCommands == 0 ? Integer.MAX_VALUE : maxCommands,
                ControllerData.ioCommands(data, 0),
                ControllerData.keepAliveGranularity(data, 0),
                keepAlive,
                ControllerData.abortLimit(data, 0) + 1,
                ControllerData.asyncEvents(data, 0),
                (ControllerData.volatileWriteCache(data, 0) & 1) != 0,
                ControllerData.sharesMemory(data, 0),
                ControllerData.takesRiders(data, 0),
                LocalSocketField.decode(data, 0));
    }

    /** Whether all commands of ONCS in the mask are supported. */
    public boolean supports(int commands) {
        return (ioCommands & commands) == commands;
    }
}
