// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import static io.crail.nvmf.wire.command.FeaturesCommand.SELECT_CAPABILITIES;
import static io.crail.nvmf.wire.command.FeaturesCommand.SELECT_CURRENT;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.subsystem.Controller;
import io.crail.nvmf.target.subsystem.SubsystemSettings;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.QueueCounts;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Set Features and Get Features (NVMe Base 2.0, sections 5.27 and 5.15). Four do something: number
 * of queues, keep-alive timer, volatile write cache, and host identifier, which only tells what
 * Connect said. The others that a controller must have are remembered and told. Nothing is saved
 * over a reset.
 */
final class Features {
    /** Features whose values are remembered, and the value before anybody set them. */
    private static final Map<Integer, Integer> REMEMBERED =
            Map.of(
                    FeatureId.ARBITRATION, 0,
                    FeatureId.POWER_MANAGEMENT, 0,
                    FeatureId.TEMPERATURE_THRESHOLD, 0,
                    FeatureId.ERROR_RECOVERY, 0,
                    FeatureId.WRITE_ATOMICITY, 0,
                    FeatureId.ASYNC_EVENTS, 0,
                    FeatureId.RESERVATION_NOTIFICATIONS, 0);

    private static final int HOST_ID_BYTES = 16;
    private static final int HOST_BEHAVIOR_BYTES = 512;

    /** Of the host identifier: 128 bits. */
    private static final int EXTENDED_HOST_ID = 1;

    /** Bit 2 of the capabilities: the value can be changed. */
    private static final int CHANGEABLE = 1 << 2;

    /** Numbers of queues that stand for none. */
    private static final int NO_QUEUES = 0xFFFF;

    private final SubsystemSettings settings;
    private final Controller controller;
    private final Map<Integer, Integer> values = new HashMap<>(REMEMBERED);

    Features(SubsystemSettings settings, Controller controller) {
        this.settings = settings;
        this.controller = controller;
    }

    /** Length of the data that Get Features returns. */
    static int dataBytes(int feature, int select) {
        if (select == SELECT_CAPABILITIES) {
            return 0;
        }
        return switch (feature) {
            case FeatureId.HOST_ID -> HOST_ID_BYTES;
            case FeatureId.HOST_BEHAVIOR -> HOST_BEHAVIOR_BYTES;
            default -> 0;
        };
    }

    void set(Command command) {
        ByteBuffer entry = command.entry();
        int value = FeaturesCommand.value(entry, 0);
        int feature = FeaturesCommand.feature(entry, 0);
        if (FeaturesCommand.isSave(entry, 0)) {
            command.status(StatusCode.FEATURE_NOT_SAVEABLE.doNotRetry());
            return;
        }
        switch (feature) {
            case FeatureId.NUMBER_OF_QUEUES -> setQueues(command, value);
            case FeatureId.KEEP_ALIVE_TIMER -> controller.keepAliveMillis(value & 0xFFFF_FFFFL);
            case FeatureId.VOLATILE_WRITE_CACHE -> controller.writeCache((value & 1) != 0);
            case FeatureId.HOST_BEHAVIOR -> {
                // What a host may announce there concerns nothing that this target does.
            }
            case FeatureId.HOST_ID, FeatureId.RESERVATION_PERSISTENCE ->
                    command.status(StatusCode.FEATURE_NOT_CHANGEABLE.doNotRetry());
            default -> {
                if (values.containsKey(feature)) {
                    values.put(feature, value);
                    if (feature == FeatureId.RESERVATION_NOTIFICATIONS) {
                        controller.notificationMask(value);
                    }
                } else {
                    command.status(StatusCode.INVALID_FIELD.doNotRetry());
                }
            }
        }
    }

    private void setQueues(Command command, int value) {
        if ((value & NO_QUEUES) == NO_QUEUES || value >>> 16 == NO_QUEUES) {
            command.status(StatusCode.INVALID_FIELD.doNotRetry());
            return;
        }
        if (controller.isDiscovery()) {
            command.status(StatusCode.INVALID_FIELD.doNotRetry());
            return;
        }
        int asked =
                Math.min(QueueCounts.submissionQueues(value), QueueCounts.completionQueues(value));
        controller.ioQueues(Math.min(asked, settings.maxIoQueues()));
        command.result(QueueCounts.of(controller.ioQueues(), controller.ioQueues()) & 0xFFFF_FFFFL);
    }

    void get(Command command) {
        ByteBuffer entry = command.entry();
        int feature = FeaturesCommand.feature(entry, 0);
        int select = FeaturesCommand.select(entry, 0);
        if (select > SELECT_CAPABILITIES) {
            command.status(StatusCode.INVALID_FIELD.doNotRetry());
        } else if (select == SELECT_CAPABILITIES) {
            command.result(isChangeable(feature) ? CHANGEABLE : 0);
            if (!isChangeable(feature) && !isFixed(feature)) {
                command.status(StatusCode.INVALID_FIELD.doNotRetry());
            }
        } else {
            getValue(command, feature, select == SELECT_CURRENT);
        }
    }

    private static boolean isChangeable(int feature) {
        return REMEMBERED.containsKey(feature)
                || feature == FeatureId.NUMBER_OF_QUEUES
                || feature == FeatureId.KEEP_ALIVE_TIMER
                || feature == FeatureId.VOLATILE_WRITE_CACHE;
    }

    private static boolean isFixed(int feature) {
        return feature == FeatureId.HOST_ID
                || feature == FeatureId.HOST_BEHAVIOR
                || feature == FeatureId.RESERVATION_PERSISTENCE;
    }

    /**
     * @param current whether the value in force is asked for, else the default, which stands for
     *     the saved one, too
     */
    private void getValue(Command command, int feature, boolean current) {
        switch (feature) {
            case FeatureId.NUMBER_OF_QUEUES -> {
                int queues = current ? controller.ioQueues() : 0;
                int told = queues == 0 ? settings.maxIoQueues() : queues;
                command.result(QueueCounts.of(told, told) & 0xFFFF_FFFFL);
            }
            case FeatureId.KEEP_ALIVE_TIMER ->
                    command.result(current ? controller.keepAliveMillis() : 0);
            case FeatureId.VOLATILE_WRITE_CACHE ->
                    command.result(!current || controller.hasWriteCache() ? 1 : 0);
            case FeatureId.HOST_ID -> getHostId(command);
            case FeatureId.HOST_BEHAVIOR ->
                    LittleEndian.zero(command.data(), 0, HOST_BEHAVIOR_BYTES);
            case FeatureId.RESERVATION_PERSISTENCE -> command.result(0);
            default -> {
                Integer value = current ? values.get(feature) : REMEMBERED.get(feature);
                if (value == null) {
                    command.status(StatusCode.INVALID_FIELD.doNotRetry());
                } else {
                    command.result(value & 0xFFFF_FFFFL);
                }
            }
        }
    }

    private void getHostId(Command command) {
        if ((FeaturesCommand.value(command.entry(), 0) & EXTENDED_HOST_ID) == 0) {
            command.status(StatusCode.HOST_ID_INCONSISTENT.doNotRetry());
            return;
        }
        UUID id = controller.host().id();
        LittleEndian.i64(command.data(), 0, Long.reverseBytes(id.getMostSignificantBits()));
        LittleEndian.i64(command.data(), 8, Long.reverseBytes(id.getLeastSignificantBits()));
    }
}
