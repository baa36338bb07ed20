// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.status;

import static io.crail.nvmf.wire.status.StatusCodeType.COMMAND_SPECIFIC;
import static io.crail.nvmf.wire.status.StatusCodeType.GENERIC;
import static io.crail.nvmf.wire.status.StatusCodeType.MEDIA;
import static io.crail.nvmf.wire.status.StatusCodeType.PATH;

import org.jspecify.annotations.Nullable;

/**
 * Status codes (NVMe Base 2.0, section 3.3.3.2.1, and NVM Command Set 1.0, section 3.1.2). A
 * command specific code means one thing in a fabrics command and another in an I/O command, so
 * those have a scope.
 */
public enum StatusCode {
    SUCCESS(GENERIC, 0x00),
    INVALID_OPCODE(GENERIC, 0x01),
    INVALID_FIELD(GENERIC, 0x02),
    COMMAND_ID_CONFLICT(GENERIC, 0x03),
    DATA_TRANSFER_ERROR(GENERIC, 0x04),
    ABORTED_POWER_LOSS(GENERIC, 0x05),
    INTERNAL_ERROR(GENERIC, 0x06),
    ABORT_REQUESTED(GENERIC, 0x07),
    ABORTED_QUEUE_DELETED(GENERIC, 0x08),
    ABORTED_FUSED_FAILED(GENERIC, 0x09),
    ABORTED_FUSED_MISSING(GENERIC, 0x0A),
    INVALID_NAMESPACE_OR_FORMAT(GENERIC, 0x0B),
    COMMAND_SEQUENCE_ERROR(GENERIC, 0x0C),
    INVALID_SGL_SEGMENT(GENERIC, 0x0D),
    INVALID_SGL_COUNT(GENERIC, 0x0E),
    DATA_SGL_LENGTH_INVALID(GENERIC, 0x0F),
    METADATA_SGL_LENGTH_INVALID(GENERIC, 0x10),
    SGL_TYPE_INVALID(GENERIC, 0x11),
    INVALID_CONTROLLER_MEMORY_USE(GENERIC, 0x12),
    PRP_OFFSET_INVALID(GENERIC, 0x13),
    ATOMIC_WRITE_UNIT_EXCEEDED(GENERIC, 0x14),
    OPERATION_DENIED(GENERIC, 0x15),
    SGL_OFFSET_INVALID(GENERIC, 0x16),
    HOST_ID_INCONSISTENT(GENERIC, 0x18),
    KEEP_ALIVE_EXPIRED(GENERIC, 0x19),
    KEEP_ALIVE_INVALID(GENERIC, 0x1A),
    ABORTED_PREEMPT(GENERIC, 0x1B),
    SANITIZE_FAILED(GENERIC, 0x1C),
    SANITIZE_IN_PROGRESS(GENERIC, 0x1D),
    SGL_GRANULARITY_INVALID(GENERIC, 0x1E),
    NAMESPACE_WRITE_PROTECTED(GENERIC, 0x20),
    COMMAND_INTERRUPTED(GENERIC, 0x21),
    TRANSIENT_TRANSPORT_ERROR(GENERIC, 0x22),
    PROHIBITED_BY_LOCKDOWN(GENERIC, 0x23),
    MEDIA_NOT_READY(GENERIC, 0x24),
    LBA_OUT_OF_RANGE(GENERIC, 0x80),
    CAPACITY_EXCEEDED(GENERIC, 0x81),
    NAMESPACE_NOT_READY(GENERIC, 0x82),
    RESERVATION_CONFLICT(GENERIC, 0x83),
    FORMAT_IN_PROGRESS(GENERIC, 0x84),

    INVALID_COMPLETION_QUEUE(COMMAND_SPECIFIC, 0x00),
    INVALID_QUEUE_ID(COMMAND_SPECIFIC, 0x01),
    INVALID_QUEUE_SIZE(COMMAND_SPECIFIC, 0x02),
    ABORT_LIMIT_EXCEEDED(COMMAND_SPECIFIC, 0x03),
    ASYNC_EVENT_LIMIT_EXCEEDED(COMMAND_SPECIFIC, 0x05),
    INVALID_FIRMWARE_SLOT(COMMAND_SPECIFIC, 0x06),
    INVALID_LOG_PAGE(COMMAND_SPECIFIC, 0x09),
    INVALID_FORMAT(COMMAND_SPECIFIC, 0x0A),
    FEATURE_NOT_SAVEABLE(COMMAND_SPECIFIC, 0x0D),
    FEATURE_NOT_CHANGEABLE(COMMAND_SPECIFIC, 0x0E),
    FEATURE_NOT_NAMESPACE_SPECIFIC(COMMAND_SPECIFIC, 0x0F),
    OVERLAPPING_RANGE(COMMAND_SPECIFIC, 0x14),
    INVALID_CONTROLLER_ID(COMMAND_SPECIFIC, 0x1F),

    CONNECT_INCOMPATIBLE_FORMAT(COMMAND_SPECIFIC, 0x80, Scope.FABRICS),
    CONNECT_CONTROLLER_BUSY(COMMAND_SPECIFIC, 0x81, Scope.FABRICS),
    CONNECT_INVALID_PARAMETERS(COMMAND_SPECIFIC, 0x82, Scope.FABRICS),
    CONNECT_RESTART_DISCOVERY(COMMAND_SPECIFIC, 0x83, Scope.FABRICS),
    CONNECT_INVALID_HOST(COMMAND_SPECIFIC, 0x84, Scope.FABRICS),
    INVALID_QUEUE_TYPE(COMMAND_SPECIFIC, 0x85, Scope.FABRICS),
    DISCOVER_RESTART(COMMAND_SPECIFIC, 0x90, Scope.FABRICS),
    AUTHENTICATION_REQUIRED(COMMAND_SPECIFIC, 0x91, Scope.FABRICS),

    CONFLICTING_ATTRIBUTES(COMMAND_SPECIFIC, 0x80, Scope.NVM),
    INVALID_PROTECTION_INFORMATION(COMMAND_SPECIFIC, 0x81, Scope.NVM),
    WRITE_TO_READ_ONLY_RANGE(COMMAND_SPECIFIC, 0x82, Scope.NVM),
    COMMAND_SIZE_LIMIT_EXCEEDED(COMMAND_SPECIFIC, 0x83, Scope.NVM),

    WRITE_FAULT(MEDIA, 0x80),
    UNRECOVERED_READ_ERROR(MEDIA, 0x81),
    GUARD_CHECK_ERROR(MEDIA, 0x82),
    APPLICATION_TAG_CHECK_ERROR(MEDIA, 0x83),
    REFERENCE_TAG_CHECK_ERROR(MEDIA, 0x84),
    COMPARE_FAILURE(MEDIA, 0x85),
    ACCESS_DENIED(MEDIA, 0x86),
    DEALLOCATED_OR_UNWRITTEN(MEDIA, 0x87),

    INTERNAL_PATH_ERROR(PATH, 0x00),
    ACCESS_PERSISTENT_LOSS(PATH, 0x01),
    ACCESS_INACCESSIBLE(PATH, 0x02),
    ACCESS_TRANSITION(PATH, 0x03),
    CONTROLLER_PATHING_ERROR(PATH, 0x60),
    HOST_PATHING_ERROR(PATH, 0x70),
    ABORTED_BY_HOST(PATH, 0x71);

    /** Which commands a command specific code belongs to. */
    public enum Scope {
        ANY,
        FABRICS,
        NVM
    }

    private static final StatusCode[] VALUES = values();

    private final StatusCodeType type;
    private final int code;
    private final Scope scope;

    StatusCode(StatusCodeType type, int code) {
        this(type, code, Scope.ANY);
    }

    StatusCode(StatusCodeType type, int code, Scope scope) {
        this.type = type;
        this.code = code;
        this.scope = scope;
    }

    public StatusCodeType type() {
        return type;
    }

    /** SC, eight bits. */
    public int code() {
        return code;
    }

    public Scope scope() {
        return scope;
    }

    /** The status with this code and neither DNR nor More nor a retry delay. */
    public int status() {
        return Status.of(type.code(), code);
    }

    /** The same with DNR: repeating the command would end the same way. */
    public int doNotRetry() {
        return Status.withDoNotRetry(status());
    }

    /** Whether a status has this code, whatever its flags. */
    public boolean is(int status) {
        return (status & Status.CODE_MASK) == status();
    }

    /**
     * The code of a status, or null if this specification does not know it.
     *
     * @param scope of the command that the status ended
     */
    public static @Nullable StatusCode find(int status, Scope scope) {
        for (StatusCode each : VALUES) {
            if (each.is(status) && (each.scope == Scope.ANY || each.scope == scope)) {
                return each;
            }
        }
        return null;
    }
}
