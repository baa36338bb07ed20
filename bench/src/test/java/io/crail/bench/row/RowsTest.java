// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.Targets;
import io.crail.error.InvalidArgumentException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowsTest {
    @Test
    void theRowsAreThoseOfTheTableOfTargets() {
        assertThat(Rows.all().stream().map(Row::name))
                .containsExactly(
                        "lookup_tcp",
                        "lookup_local",
                        "get100_tcp",
                        "put100_tcp",
                        "get100k_local",
                        "put100k_local",
                        "seqread_local",
                        "seqwrite_local",
                        "view",
                        "seqread_tcp",
                        "seqwrite_tcp",
                        "read4k_tcp",
                        "threads4",
                        "lookups_per_s");
    }

    @Test
    void anUnknownRowIsRefusedWithTheNamesOfAll() {
        assertThatThrownBy(() -> new Targets(List.of("lookup"), Effort.QUICK))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("'lookup'")
                .hasMessageContaining("lookups_per_s");
    }
}
