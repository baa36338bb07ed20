// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.status;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The status field of a completion, 15 bits, without the phase bit that fabrics do not have (NVMe
 * Base 2.0, section 3.3.3.2): code in bits 7:0, type in 10:8, command retry delay in 12:11, More in
 * 13, Do Not Retry in 14. Zero is success.
 */
public final class Status {
    public static final int SUCCESS = 0;

    /** Type and code. */
    public static final int CODE_MASK = 0x7FF;

    private static final int MORE = 1 << 13;
    private static final int DO_NOT_RETRY = 1 << 14;

    private Status() {}

    /** A status of a type and a code as numbers. */
    public static int of(int type, int code) {
        return ((type & 7) << 8) | (code & 0xFF);
    }

    public static boolean isSuccess(int status) {
        return (status & CODE_MASK) == 0;
    }

    public static int code(int status) {
        return status & 0xFF;
    }

    public static StatusCodeType type(int status) {
        return StatusCodeType.of(status >>> 8);
    }

    /** Index (1..3) of the retry delay in Identify Controller, 0 for none. */
    public static int retryDelay(int status) {
        return (status >>> 11) & 3;
    }

    /** Whether the Error Information log page says more. */
    public static boolean isMore(int status) {
        return (status & MORE) != 0;
    }

    public static boolean isDoNotRetry(int status) {
        return (status & DO_NOT_RETRY) != 0;
    }

    public static int withDoNotRetry(int status) {
        return status | DO_NOT_RETRY;
    }

    public static int withMore(int status) {
        return status | MORE;
    }

    public static int withRetryDelay(int status, int index) {
        return (status & ~(3 << 11)) | ((index & 3) << 11);
    }

    /** For messages: the code's name, or its numbers, and the flags. */
    public static String describe(int status, StatusCode.Scope scope) {
        StatusCode known = StatusCode.find(status, scope);
        return (known == null ? type(status).toString() : nameOf(known))
                + String.format(
                        Locale.ROOT,
                        " (SCT %xh, SC %02xh%s)",
                        type(status).code(),
                        code(status),
                        isDoNotRetry(status) ? ", do not retry" : "");
    }

    private static String nameOf(@Nullable StatusCode code) {
        return String.valueOf(code).toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
