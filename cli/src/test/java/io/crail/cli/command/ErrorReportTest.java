// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorReportTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    cat /a | open /a: /a does not exist                | cat /a: does not exist
                    kv get | get from /t: /t does not exist            | kv get: /t does not exist
                    mv /a to /b | rename /a to /b: /a does not exist   | mv /a to /b: rename /a to /b: /a does not exist
                    rm /a | delete /a: timed out                       | rm /a: delete /a: timed out
                    put x | no such local file: x                      | put x: no such local file: x
                    ls / | look up /: no namenode                      | ls /: look up /: no namenode
                    cat /a | time is over                              | cat /a: time is over
                    """)
    void aPathIsSaidOnce(String what, String why, String line) {
        assertThat(ErrorReport.line(what, why)).isEqualTo(line);
    }
}
