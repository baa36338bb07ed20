// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import java.net.URI;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {
    private final Configuration hadoop = new Configuration(false);

    private ClientSettings of(String uri) throws InvalidArgumentException {
        return ClientSettings.of(URI.create(uri), hadoop, "ann");
    }

    @Test
    void theUriNamesTheNamenode() throws CrailException {
        assertThat(of("crail://host:1234/any").toConfig().namenodes()).containsExactly("host:1234");
        assertThat(of("crail://host/").toConfig().namenodes()).containsExactly("host:9060");
        assertThat(of("crail://[::1]:1/").toConfig().namenodes()).containsExactly("[::1]:1");
    }

    @Test
    void withoutAHostTheConfigurationNamesTheNamenodes() throws CrailException {
        hadoop.set("fs.crail.client.namenodes", "a:1,b:2");
        assertThat(of("crail:///").toConfig().namenodes()).containsExactly("a:1", "b:2");
        assertThat(of("crail://c:3/").toConfig().namenodes()).containsExactly("c:3");
    }

    @Test
    void keysOfTheClientArePassedOn() throws CrailException {
        hadoop.set("fs.crail.client.deadline", "7 s");
        hadoop.set("fs.crail.client.group", "staff");
        hadoop.set("fs.crail.impl.disable.cache", "true");
        ClientConfig config = of("crail://h:1/").toConfig();
        assertThat(config.deadline()).isEqualTo(Duration.ofSeconds(7));
        assertThat(config.user()).isEqualTo("ann");
        assertThat(config.group()).isEqualTo("staff");
    }

    @Test
    void anotherUserCanBeNamed() throws CrailException {
        hadoop.set("fs.crail.client.user", "bob");
        assertThat(of("crail://h:1/").actingUser()).isEqualTo("bob");
        assertThat(of("crail://h:1/").toConfig().user()).isEqualTo("bob");
        assertThat(of("crail://h:1/").toConfig().group()).isEqualTo("bob");
    }

    @Test
    void aMisspeltKeyIsAnErrorThatNamesTheRightOne() throws CrailException {
        hadoop.set("fs.crail.client.deadlin", "7 s");
        ClientSettings settings = of("crail://h:1/");
        assertThatThrownBy(settings::toConfig)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("fs.crail.client.deadlin")
                .hasMessageContaining("client.deadline");
    }

    @Test
    void settingsThatSayTheSameAreEqual() throws CrailException {
        ClientSettings first = of("crail://h:9060/a");
        hadoop.set("some.other.key", "1");
        assertThat(of("crail://h/b")).isEqualTo(first);
        hadoop.set("fs.crail.client.checksums", "false");
        assertThat(of("crail://h/b")).isNotEqualTo(first);
    }

    @Test
    void whatIsNoAddressIsRefused() {
        assertThatThrownBy(() -> of("crail://user@host:1/"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("crail://host:port/");
    }
}
