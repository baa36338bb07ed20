// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Impossible values are errors that name the key. */
final class NamenodeConfigTest {
    private static final Path DIRECTORY = Path.of("unused");

    @Test
    void everyImpossibleValueIsRefusedByItsKey() {
        Map<String, UnaryOperator<NamenodeConfig.Builder>> wrong =
                Map.of(
                        "inline.limit", b -> b.inlineLimit(61 << 10),
                        "inline.memory", b -> b.inlineMemory(1000),
                        "nodes.max", b -> b.maxNodes(0),
                        "bind.port", b -> b.bind("localhost", 70_000),
                        "snapshot.log-size", b -> b.snapshotLogBytes(10),
                        "lease.time", b -> b.leaseTime(Duration.ZERO),
                        "session.timeout", b -> b.sessionTimeout(Duration.ofDays(30)),
                        "namenode.heartbeat", b -> b.heartbeat(Duration.ofSeconds(-1)),
                        "unlinked.retention", b -> b.unlinkedRetention(Duration.ofSeconds(-1)),
                        "dead-server.time", b -> b.deadServerTime(Duration.ofMillis(500)));
        wrong.forEach(
                (key, change) ->
                        assertThatThrownBy(
                                        () ->
                                                change.apply(NamenodeConfig.builder(DIRECTORY))
                                                        .build())
                                .isInstanceOf(InvalidArgumentException.class)
                                .hasMessageContaining(key));
    }

    @Test
    void theDefaultsFitTogether() throws InvalidArgumentException {
        NamenodeConfig config = NamenodeConfig.builder(DIRECTORY).build();
        assertThat(config.engine().leaseTime()).isLessThan(config.engine().sessionTimeout());
        assertThat(config.engine().heartbeat()).isLessThan(config.engine().deadServerTime());
    }
}
