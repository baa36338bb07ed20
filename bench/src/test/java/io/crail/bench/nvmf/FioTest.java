// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InternalException;
import org.junit.jupiter.api.Test;

class FioTest {
    private static final String REPORT =
            """
            {
              "fio version" : "fio-3.33",
              "jobs" : [ {
                "jobname" : "limit",
                "read" : {
                  "io_bytes" : 4096000, "bw_bytes" : 40960000, "bw" : 40000, "iops" : 10000.500000,
                  "clat_ns" : { "min" : 1, "mean" : 90000.5 },
                  "lat_ns" : { "min" : 2, "percentile" : { "50.000000" : 91648 } }
                },
                "write" : {
                  "io_bytes" : 0, "bw_bytes" : 20480000, "bw" : 20000, "iops" : 5000.250000,
                  "lat_ns" : { "min" : 2, "percentile" : { "50.000000" : 181248 } }
                }
              } ]
            }
            """;

    @Test
    void figuresAreThoseOfTheDirectionThatWasMeasured() throws InternalException {
        assertThat(Fio.Figures.parse(REPORT, false))
                .isEqualTo(new Fio.Figures(10_000.5, 40_960_000, 91.648));
        assertThat(Fio.Figures.parse(REPORT, true))
                .isEqualTo(new Fio.Figures(5_000.25, 20_480_000, 181.248));
    }

    @Test
    void aReportWithoutFiguresIsAnError() {
        assertThatThrownBy(() -> Fio.Figures.parse("{ \"jobs\" : [ ] }", false))
                .isInstanceOf(InternalException.class)
                .hasMessageContaining("iops");
    }
}
