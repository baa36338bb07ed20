// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PathOptionsTest {
    @Test
    void withoutOptionsThereAreDefaults() throws Exception {
        assertThat(PathOptions.of(Map.of())).isEqualTo(new PathOptions(128, false, false, true));
    }

    @Test
    void digestsAreChosenByName() throws Exception {
        assertThat(PathOptions.of(Map.of(PathOptions.DIGESTS, "header")))
                .isEqualTo(new PathOptions(128, true, false, true));
        assertThat(PathOptions.of(Map.of(PathOptions.DIGESTS, "data")))
                .isEqualTo(new PathOptions(128, false, true, true));
        assertThat(
                        PathOptions.of(
                                Map.of(
                                        PathOptions.DIGESTS,
                                        "both",
                                        PathOptions.QUEUE_ENTRIES,
                                        "1024")))
                .isEqualTo(new PathOptions(1024, true, true, true));
    }

    @Test
    void sharedMemoryIsSwitchedOffByName() throws Exception {
        assertThat(PathOptions.of(Map.of(PathOptions.SHARED_MEMORY, "false")))
                .isEqualTo(new PathOptions(128, false, false, false));
    }

    @Test
    void whatIsImpossibleIsRefusedByName() {
        for (String entries : new String[] {"1", "1025", "many"}) {
            assertThatThrownBy(() -> PathOptions.of(Map.of(PathOptions.QUEUE_ENTRIES, entries)))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("nvmf.queue_entries")
                    .hasMessageContaining(entries);
        }
        assertThatThrownBy(() -> PathOptions.of(Map.of(PathOptions.SHARED_MEMORY, "perhaps")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("nvmf.shared_memory is perhaps");
        assertThatThrownBy(() -> PathOptions.of(Map.of(PathOptions.DIGESTS, "crc")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("crc");
    }
}
