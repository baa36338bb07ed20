// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.node.NodeType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options and configurations: defaults, bounds, and what they become on the wire. */
class ClientConfigTest {
    @Test
    void defaultsAreBounded() {
        ClientConfig config = ClientConfig.of("localhost:9060");
        assertThat(config.deadline()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.bufferPoolBytes()).isBetween(2L << 20, 64L << 20);
        assertThat(config.checksums()).isTrue();
        assertThat(config.namenodes()).containsExactly("localhost:9060");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", "host:", ":1", "host:0", "host:65536", "host:x"})
    void whatIsNoEndpointIsRefused(String endpoint) {
        assertThatThrownBy(() -> ClientConfig.of(endpoint))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namenodes");
    }

    @Test
    void impossibleValuesAreRefusedByName() {
        ClientConfig.Builder builder = ClientConfig.builder().namenodes(List.of("[::1]:1"));
        assertThatThrownBy(() -> builder.writeDepth(0).build()).hasMessageContaining("writeDepth");
        builder.writeDepth(1);
        assertThatThrownBy(() -> builder.deadline(Duration.ZERO).build())
                .hasMessageContaining("deadline");
        builder.deadline(Duration.ofMillis(1));
        assertThatThrownBy(() -> builder.bufferPoolBytes(1).build())
                .hasMessageContaining("bufferPoolBytes");
        assertThatThrownBy(() -> ClientConfig.builder().build()).hasMessageContaining("namenodes");
    }

    @Test
    void aBuiltConfigurationDoesNotChangeWithItsBuilder() {
        ClientConfig.Builder builder = ClientConfig.builder().namenodes(List.of("a:1"));
        ClientConfig config = builder.user("before").build();
        builder.user("after");
        assertThat(config.user()).isEqualTo("before");
    }

    @Test
    void anUnknownTransportIsNamedWithThoseThereAre() {
        ClientConfig config =
                ClientConfig.builder().namenodes(List.of("a:1")).rpcTransport("smoke").build();
        assertThatThrownBy(() -> CrailClient.connect(config))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("smoke")
                .hasMessageContaining("tcp");
    }

    @Test
    void createOptionsBecomeFlags() {
        Create.Request request =
                CreateOptions.builder()
                        .parents(true)
                        .overwrite(true)
                        .overwrite(false)
                        .mode(0700)
                        .lifetime(Duration.ofSeconds(2))
                        .build()
                        .toRequest(new byte[] {'/'}, NodeType.FILE, Create.OPEN, 10, false);
        assertThat(request.flags()).isEqualTo(Create.PARENTS | Create.OPEN | Create.NO_CHECKSUMS);
        assertThat(request.mode()).isEqualTo(0700);
        assertThat(request.lifetimeMillis()).isEqualTo(2000);
        assertThat(request.exact()).isTrue();
        assertThatThrownBy(() -> CreateOptions.builder().storageClass(256))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void attributeChangesNameOnlyWhatChanges() {
        SetAttributes.Request request =
                AttributeChange.NONE
                        .mode(0600)
                        .owner("o")
                        .modified(Instant.ofEpochMilli(5))
                        .toRequest(new byte[] {'/'});
        assertThat(request.mask())
                .isEqualTo(SetAttributes.MODE | SetAttributes.OWNER | SetAttributes.MODIFIED);
        assertThat(request.mode()).isEqualTo(0600);
        assertThat(request.owner()).isEqualTo("o");
        assertThat(request.modifiedMillis()).isEqualTo(5);
    }
}
