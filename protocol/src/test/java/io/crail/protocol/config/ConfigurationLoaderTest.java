// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationLoaderTest {
    @TempDir private Path directory;

    @Test
    void withoutSourcesEverythingIsAtItsDefault() throws Exception {
        Configuration values = new ConfigurationLoader(Map.of()).load();
        assertThat(values.entries()).hasSameSizeAs(CrailKeys.all());
        assertThat(values.entries()).allMatch(entry -> entry.origin().equals(Origin.DEFAULT));
        assertThat(values.get(NamenodeKeys.BIND_PORT)).isEqualTo(9060);
    }

    @Test
    void theFileOverridesDefaults() throws Exception {
        Path file =
                file(
                        "# a comment",
                        "",
                        "storage.capacity = 4 GiB # behind a value",
                        "client.user=a#b");
        Configuration values = new ConfigurationLoader(Map.of()).file(file).load();
        assertThat(values.get(StorageKeys.CAPACITY)).isEqualTo(ByteSize.parse("4 GiB"));
        assertThat(values.get(ClientKeys.USER)).isEqualTo("a#b");
        assertThat(values.origin(StorageKeys.CAPACITY)).hasToString(file + ":3");
    }

    @Test
    void theEnvironmentOverridesTheFile() throws Exception {
        Configuration values =
                new ConfigurationLoader(Map.of("CRAIL_NAMENODE_BIND_PORT", "7"))
                        .file(file("namenode.bind.port = 8"))
                        .load();
        assertThat(values.get(NamenodeKeys.BIND_PORT)).isEqualTo(7);
        assertThat(values.origin(NamenodeKeys.BIND_PORT)).hasToString("$CRAIL_NAMENODE_BIND_PORT");
    }

    @Test
    void theCommandLineOverridesTheEnvironment() throws Exception {
        Configuration values =
                new ConfigurationLoader(Map.of("CRAIL_NAMENODE_BIND_PORT", "7"))
                        .commandLine(List.of(Setting.parseAssignment("namenode.bind.port=6", "-D")))
                        .load();
        assertThat(values.get(NamenodeKeys.BIND_PORT)).isEqualTo(6);
        assertThat(values.origin(NamenodeKeys.BIND_PORT)).hasToString("-D");
    }

    @Test
    void theEnvironmentNamesTheFile() throws Exception {
        Path file = file("storage.class = 3");
        Configuration values =
                new ConfigurationLoader(Map.of("CRAIL_CONF", file.toString()))
                        .usualFile(directory.resolve("absent"))
                        .load();
        assertThat(values.get(StorageKeys.STORAGE_CLASS)).isEqualTo(3);
    }

    @Test
    void theUsualFileNeedNotExist() throws Exception {
        assertThat(new ConfigurationLoader(Map.of()).usualFile(directory.resolve("absent")).load())
                .isNotNull();
    }

    @Test
    void aNamedFileMustExist() {
        Path absent = directory.resolve("absent");
        assertThatThrownBy(() -> new ConfigurationLoader(Map.of()).file(absent).load())
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(absent.toString());
    }

    @Test
    void theShortVariableNamesTheNamenodes() throws Exception {
        Configuration values = new ConfigurationLoader(Map.of("CRAIL_NAMENODE", "a:1,b:2")).load();
        assertThat(values.get(ClientKeys.NAMENODES))
                .containsExactly(new Endpoint("a", 1), new Endpoint("b", 2));
    }

    @Test
    void anEmptyShortVariableIsAsGoodAsNone() throws Exception {
        Configuration values = new ConfigurationLoader(Map.of("CRAIL_NAMENODE", "")).load();
        assertThat(values.origin(ClientKeys.NAMENODES))
                .isEqualTo(new ConfigurationLoader(Map.of()).load().origin(ClientKeys.NAMENODES));
    }

    @Test
    void anUnknownKeyIsNamedWithItsPlaceAndTheNearestKey() throws Exception {
        Path file = file("", "storage.capacty = 1 GiB");
        assertThatThrownBy(() -> new ConfigurationLoader(Map.of()).file(file).load())
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(file + ":2")
                .hasMessageContaining("storage.capacty")
                .hasMessageContaining("1 GiB")
                .hasMessageContaining("'storage.capacity'");
    }

    @Test
    void anImpossibleValueIsNamedWithItsPlaceAndTheRange() throws Exception {
        Path file = file("storage.class = 256");
        assertThatThrownBy(() -> new ConfigurationLoader(Map.of()).file(file).load())
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(file + ":1")
                .hasMessageContaining("storage.class")
                .hasMessageContaining("256")
                .hasMessageContaining("0 .. 255");
    }

    @Test
    void aMistypedVariableIsAnError() {
        ConfigurationLoader loader =
                new ConfigurationLoader(Map.of("CRAIL_STORAGE_CAPACTY", "1 GiB"));
        assertThatThrownBy(loader::load)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("CRAIL_STORAGE_CAPACTY")
                .hasMessageContaining("CRAIL_STORAGE_CAPACITY");
    }

    @Test
    void variablesOfOtherProgramsDoNotMatter() throws Exception {
        Map<String, String> environment =
                Map.of("CRAIL_CLIENT_OPTS", "-Xmx1g", "CRAIL_HOME", "/x", "PATH", "/bin");
        assertThat(new ConfigurationLoader(environment).load()).isNotNull();
    }

    @Test
    void aLineWithoutEqualsSignIsAnErrorWithItsPlace() throws Exception {
        Path file = file("storage.class 3");
        assertThatThrownBy(() -> new ConfigurationLoader(Map.of()).file(file).load())
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(file + ":1");
    }

    @Test
    void anAssignmentWithoutEqualsSignIsRefused() {
        assertThatThrownBy(() -> Setting.parseAssignment("storage.class", "-D"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("storage.class");
    }

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("crail.conf"), List.of(lines));
    }
}
