// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.target.backing.Allocation;
import io.crail.nvmf.target.backing.BackingException;
import io.crail.nvmf.target.host.TestHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetConfigTest {
    @TempDir Path directory;

    private NamespaceConfig namespace() {
        return NamespaceConfig.of(directory.resolve("medium"), 1 << 20)
                .withAllocation(Allocation.SPARSE);
    }

    private TargetConfigBuilder builder() {
        return TargetConfig.builder(TestHost.SUBSYSTEM, namespace());
    }

    @Test
    void defaultsAdmitNobodyAndListenHereOnly() {
        TargetConfig config = builder().build();
        assertThat(config.anyHost()).isFalse();
        assertThat(config.allowedHosts()).isEmpty();
        assertThat(config.bind().getAddress().isLoopbackAddress()).isTrue();
    }

    @Test
    void saysWhichValueIsOutOfRange() {
        List<UnaryOperator<TargetConfigBuilder>> wrong =
                List.of(
                        each -> each.maxTransferBytes(5000),
                        each -> each.inCapsuleBytes(100),
                        each -> each.dataMemoryBytes(1 << 20),
                        each -> each.workers(0),
                        each -> each.queueEntries(2000),
                        each -> each.stallTimeout(Duration.ZERO),
                        each -> each.revokeTimeout(Duration.ofDays(1)),
                        each -> each.allowedHosts(List.of("somebody")));
        for (UnaryOperator<TargetConfigBuilder> each : wrong) {
            TargetConfigBuilder changed = each.apply(builder());
            assertThatThrownBy(changed::build).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> namespace().withBlockBytes(1024))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("512 or 4096");
        assertThatThrownBy(() -> TargetConfig.builder("crail", namespace()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("crail");
        assertThatThrownBy(() -> builder().workers(0).build()).hasMessageContaining("workers");
    }

    @Test
    void saysThatTheAddressIsTakenAndLeavesTheFile() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            TargetConfig config =
                    builder()
                            .bind(
                                    new InetSocketAddress(
                                            taken.getInetAddress(), taken.getLocalPort()))
                            .build();
            assertThatThrownBy(() -> NvmeTarget.start(config))
                    .isInstanceOf(TargetException.class)
                    .hasMessageContaining(Integer.toString(taken.getLocalPort()));
        }
        NvmeTarget.start(builder().build()).close();
    }

    @Test
    void twoTargetsDoNotServeOneFile() throws IOException {
        try (NvmeTarget first = NvmeTarget.start(builder().build())) {
            assertThat(first.address().getPort()).isPositive();
            assertThatThrownBy(() -> NvmeTarget.start(builder().build()))
                    .isInstanceOf(BackingException.class);
        }
    }
}
