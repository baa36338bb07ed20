// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorCodeTest {
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeHasItsOwnExceptionClassNamedAfterIt(ErrorCode code) {
        Throwable cause = new IllegalStateException("why");
        CrailException exception = CrailException.of(code, "what", cause);
        assertThat(exception.code()).isEqualTo(code);
        assertThat(exception).hasMessage("what").hasCause(cause);
        assertThat(exception.getClass().getSimpleName().replace("Exception", ""))
                .isEqualToIgnoringCase(code.name().replace("_", ""));
        assertThat(CrailException.of(code, "what")).hasSameClassAs(exception).hasNoCause();
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void codeComesBackFromTheWire(ErrorCode code) {
        assertThat(ErrorCode.ofWire(code.wire())).isEqualTo(code);
    }

    @Test
    void codesAreDifferentAndNotZero() {
        Set<Integer> codes = new HashSet<>();
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(code.wire()).isPositive();
            assertThat(codes.add(code.wire())).as("%s", code).isTrue();
        }
    }

    @Test
    void codeOfANewerPeerIsInternal() {
        int unknown = ErrorCode.values().length + 1;
        for (int code : new int[] {-1, 0, unknown, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertThat(ErrorCode.ofWire(code)).isEqualTo(ErrorCode.INTERNAL);
        }
    }
}
