// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.ProcessMark;
import io.crail.client.local.StateDirectory;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientSettingsTest {
    private final Configuration hadoop = new Configuration(false);

    private final Map<String, String> environment = new HashMap<>();
    @TempDir private Path runtime;

    private ClientSettings of(String uri) throws InvalidArgumentException {
        return ClientSettings.of(URI.create(uri), hadoop, "ann", environment);
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
    void withoutAnyItIsTheLocalClusterThatRuns() throws IOException {
        environment.put("XDG_RUNTIME_DIR", runtime.toString());
        assertThat(of("crail:///").toConfig().namenodes()).containsExactly("127.0.0.1:9060");
        StateDirectory state = StateDirectory.ofUser(environment);
        state.prepare();
        Path directory = Files.createDirectory(state.cluster(LocalCluster.DEFAULT));
        new LocalCluster(
                        directory,
                        new Endpoint("127.0.0.1", 4321),
                        1,
                        runtime,
                        new ByteSize(1),
                        List.of())
                .write();
        ProcessMark.of(ProcessHandle.current().pid())
                .orElseThrow()
                .write(LocalCluster.pidFile(directory, LocalCluster.NAMENODE));
        assertThat(of("crail:///").toConfig().namenodes()).containsExactly("127.0.0.1:4321");
        hadoop.set("fs.crail.client.namenodes", "a:1");
        assertThat(of("crail:///").toConfig().namenodes()).containsExactly("a:1");
    }

    @Test
    void theFirstConnectionMayHaveADeadlineOfItsOwn() throws CrailException {
        hadoop.set("fs.crail.client.deadline", "7 s");
        assertThat(of("crail://h:1/").toConfig(Optional.of(Duration.ofSeconds(2))).deadline())
                .isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void theDeadlineOfTheFirstConnectionIsWrittenAsAllDurationsOfCrail() throws CrailException {
        assertThat(ClientSettings.patience(hadoop)).isEmpty();
        for (String text : List.of("5 s", "5s", "5000 ms")) {
            hadoop.set(ClientSettings.CONNECT_DEADLINE, text);
            assertThat(ClientSettings.patience(hadoop)).contains(Duration.ofSeconds(5));
        }
        for (String nonsense : List.of("soon", "5", "0 s", "-1 s", "9999999999 d", "")) {
            hadoop.set(ClientSettings.CONNECT_DEADLINE, nonsense);
            assertThatThrownBy(() -> ClientSettings.patience(hadoop))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("fs.crail.connect.deadline");
        }
    }

    @Test
    void blocksOfFilesHaveTheSizeThatIsSet() throws CrailException {
        assertThat(ClientSettings.blockSize(hadoop)).isEqualTo(128 << 20);
        hadoop.set(ClientSettings.BLOCK_SIZE, "64m");
        assertThat(ClientSettings.blockSize(hadoop)).isEqualTo(64 << 20);
        for (String nonsense : List.of("large", "0", "-1", "1.5g", "64 furlongs")) {
            hadoop.set(ClientSettings.BLOCK_SIZE, nonsense);
            assertThatThrownBy(() -> ClientSettings.blockSize(hadoop))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("fs.crail.block.size is '" + nonsense + "'");
        }
    }

    @Test
    void bulkRemovalsNameAsManyPathsAsIsSet() throws CrailException {
        assertThat(ClientSettings.bulkRemovalSize(hadoop)).isEqualTo(1);
        hadoop.set(ClientSettings.BULK_REMOVAL_SIZE, "1000");
        assertThat(ClientSettings.bulkRemovalSize(hadoop)).isEqualTo(1000);
        for (String nonsense : List.of("many", "0", "1001", "99999999999")) {
            hadoop.set(ClientSettings.BULK_REMOVAL_SIZE, nonsense);
            assertThatThrownBy(() -> ClientSettings.bulkRemovalSize(hadoop))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("fs.crail.bulk.delete.page.size is '" + nonsense + "'");
        }
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
