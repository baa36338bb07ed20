// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

/** Identifiers of features, FID (NVMe Base 2.0, section 5.27.1). */
public final class FeatureId {
    public static final int ARBITRATION = 0x01;
    public static final int POWER_MANAGEMENT = 0x02;
    public static final int TEMPERATURE_THRESHOLD = 0x04;
    public static final int ERROR_RECOVERY = 0x05;
    public static final int VOLATILE_WRITE_CACHE = 0x06;
    public static final int NUMBER_OF_QUEUES = 0x07;
    public static final int INTERRUPT_COALESCING = 0x08;
    public static final int INTERRUPT_VECTOR = 0x09;
    public static final int WRITE_ATOMICITY = 0x0A;
    public static final int ASYNC_EVENTS = 0x0B;
    public static final int TIMESTAMP = 0x0E;
    public static final int KEEP_ALIVE_TIMER = 0x0F;
    public static final int HOST_BEHAVIOR = 0x16;
    public static final int HOST_ID = 0x81;
    public static final int RESERVATION_NOTIFICATIONS = 0x82;
    public static final int RESERVATION_PERSISTENCE = 0x83;

    private FeatureId() {}
}
