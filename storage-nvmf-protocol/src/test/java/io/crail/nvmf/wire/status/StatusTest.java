// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.status.StatusCode.Scope;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Figure "Completion Queue Entry: Status Field" and the tables of codes. */
class StatusTest {
    @Test
    void fieldsLieWhereTheFigureSays() {
        int status = Status.withMore(Status.withRetryDelay(Status.of(2, 0x85), 3));
        assertThat(status).isEqualTo(0x3A85);
        assertThat(Status.type(status)).isEqualTo(StatusCodeType.MEDIA);
        assertThat(Status.code(status)).isEqualTo(0x85);
        assertThat(Status.retryDelay(status)).isEqualTo(3);
        assertThat(Status.isMore(status)).isTrue();
        assertThat(Status.isDoNotRetry(status)).isFalse();
        assertThat(StatusCode.INVALID_FIELD.doNotRetry()).isEqualTo(0x4002);
        assertThat(Status.isDoNotRetry(0x4002)).isTrue();
        assertThat(Status.isSuccess(0x4000)).isTrue();
        assertThat(Status.isSuccess(0x0001)).isFalse();
    }

    @Test
    void oneCodeMeansOneThingInEachScope() {
        assertThat(StatusCode.find(0x182, Scope.FABRICS))
                .isEqualTo(StatusCode.CONNECT_INVALID_PARAMETERS);
        assertThat(StatusCode.find(0x182, Scope.NVM))
                .isEqualTo(StatusCode.WRITE_TO_READ_ONLY_RANGE);
        assertThat(StatusCode.find(0x4101, Scope.FABRICS)).isEqualTo(StatusCode.INVALID_QUEUE_ID);
        assertThat(StatusCode.find(0x1F7, Scope.NVM)).isNull();
        Set<String> seen = new HashSet<>();
        for (StatusCode each : StatusCode.values()) {
            assertThat(seen.add(each.scope() + " " + each.status())).as(each.name()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyCodeIsFoundByItsStatus(StatusCode code) {
        Scope scope = code.scope() == Scope.ANY ? Scope.NVM : code.scope();
        assertThat(StatusCode.find(code.doNotRetry(), scope)).isEqualTo(code);
        assertThat(code.is(code.doNotRetry())).isTrue();
        assertThat(StatusCodeType.of(code.status() >>> 8)).isEqualTo(code.type());
    }

    @Test
    void messagesNameCodeAndNumbers() {
        assertThat(Status.describe(0x4182, Scope.FABRICS))
                .isEqualTo("connect invalid parameters (SCT 1h, SC 82h, do not retry)");
        assertThat(Status.describe(0x07C3, Scope.NVM)).isEqualTo("VENDOR (SCT 7h, SC c3h)");
    }
}
