// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What cannot work is refused when it is configured, by its name. */
class InitiatorConfigTest {
    private final InitiatorConfig config = InitiatorConfig.of(new UUID(0, 1));

    @Test
    void hostIsNamedAfterItsIdentifier() {
        assertThat(config.hostName())
                .isEqualTo("nqn.2014-08.org.nvmexpress:uuid:00000000-0000-0000-0000-000000000001");
        assertThat(config.withHostName("nqn.2026-01.io:h").hostName())
                .isEqualTo("nqn.2026-01.io:h");
    }

    @Test
    void impossibleValuesAreRefused() {
        assertThatThrownBy(() -> config.withHostName("me")).hasMessageContaining("nqn");
        assertThatThrownBy(() -> config.withQueues(0, 8, 8)).hasMessageContaining("queues is 0");
        assertThatThrownBy(() -> config.withQueues(1, 1, 8)).hasMessageContaining("depth is 1");
        assertThatThrownBy(() -> config.withQueues(1, 1025, 8)).hasMessageContaining("1024");
        assertThatThrownBy(() -> config.withQueues(1, 8, 0)).hasMessageContaining("waiting");
        assertThatThrownBy(() -> config.withRetries(-1)).hasMessageContaining("retries");
        assertThatThrownBy(() -> config.withMaxTransferBytes(512))
                .hasMessageContaining("maxTransferBytes");
        assertThatThrownBy(() -> config.withKeepAlive(Duration.ofSeconds(-1)))
                .hasMessageContaining("keepAlive");
        assertThatThrownBy(
                        () ->
                                config.withCommandTimeouts(
                                        Duration.ZERO, Duration.ZERO, Duration.ZERO))
                .hasMessageContaining("commandTimeout");
    }

    @Test
    void addressesAreChecked() {
        assertThat(NvmeAddress.discovery("h", 8009))
                .hasToString("nqn.2014-08.org.nvmexpress.discovery at h:8009");
        assertThatThrownBy(() -> new NvmeAddress("h", 0, "nqn.2026-01.io:x"))
                .hasMessageContaining("port 0");
        assertThatThrownBy(() -> new NvmeAddress("h", 1, "x")).hasMessageContaining("nqn");
        assertThatThrownBy(() -> new BlockRange(1, 0)).hasMessageContaining("no range");
        assertThatThrownBy(() -> new BlockRange(2, Long.MAX_VALUE)).hasMessageContaining("range");
        assertThat(new BlockRange(2, 3).end()).isEqualTo(5);
    }
}
