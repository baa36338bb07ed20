// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExitCodeTest {
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyErrorHasAnExitCodeOtherThanSuccess(ErrorCode code) {
        assertThat(ExitCode.of(CrailException.of(code, "x"))).isNotEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "NO_SUCH_NODE, 3",
        "NODE_EXISTS, 4",
        "CONDITION_FAILED, 4",
        "OUT_OF_SPACE, 5",
        "ACCESS_DENIED, 6",
        "TIMEOUT, 7",
        "SERVER_LOST, 7",
        "CORRUPT_DATA, 8",
        "INVALID_ARGUMENT, 2",
        "INTERNAL, 1"
    })
    void errorsHaveTheDocumentedNumbers(ErrorCode code, int number) {
        assertThat(ExitCode.of(code).number()).isEqualTo(number);
    }

    @Test
    void localErrorsAreToldByTheirClass() {
        assertThat(ExitCode.of(new NoSuchFileException("x"))).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(ExitCode.of(new FileAlreadyExistsException("x"))).isEqualTo(ExitCode.EXISTS);
        assertThat(ExitCode.of(new AccessDeniedException("x"))).isEqualTo(ExitCode.ACCESS);
        assertThat(ExitCode.of(new IOException("x"))).isEqualTo(ExitCode.FAILURE);
        assertThat(ExitCode.of(new IllegalStateException("x"))).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void numbersAreDifferent() {
        assertThat(Arrays.stream(ExitCode.values()).map(ExitCode::number)).doesNotHaveDuplicates();
    }
}
