// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.AuthenticationConfig.Mode;
import io.crail.protocol.config.ConfigurationLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who has to prove something, by mode, file and address. */
class AuthenticationConfigTest {
    @TempDir private Path directory;

    private Path secret() throws CrailException {
        Path file = directory.resolve("secret");
        SecretFile.create(file, new SecureRandom());
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "127.8.8.8"})
    void onLoopbackNothingIsAskedByDefault(String host) throws CrailException {
        AuthenticationConfig config = AuthenticationConfig.DEFAULT;
        assertThat(config.forServer(Party.NAMENODE, host).areRequired()).isFalse();
        assertThat(config.forCaller().areRequired()).isFalse();
        assertThat(config.warning(Party.NAMENODE, host)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "2001:db8::1"})
    void elsewhereAServerNeedsASecret(String host) {
        assertThatThrownBy(() -> AuthenticationConfig.DEFAULT.forServer(Party.STORAGE_SERVER, host))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContainingAll(
                        "storage server", host, "crail secret create", "security.authentication");
    }

    @Test
    void aSecretFileTurnsItOnEverywhere() throws CrailException {
        AuthenticationConfig config = new AuthenticationConfig(Mode.AUTO, secret());
        assertThat(config.forServer(Party.NAMENODE, "127.0.0.1").areRequired()).isTrue();
        assertThat(config.forServer(Party.NAMENODE, "0.0.0.0").areRequired()).isTrue();
        assertThat(config.forCaller().areRequired()).isTrue();
    }

    @Test
    void offIsOffAndWarnsWhereOthersCanCome() throws CrailException {
        AuthenticationConfig config = new AuthenticationConfig(Mode.OFF, secret());
        assertThat(config.forServer(Party.NAMENODE, "0.0.0.0").areRequired()).isFalse();
        assertThat(config.forCaller().areRequired()).isFalse();
        assertThat(config.warning(Party.NAMENODE, "127.0.0.1")).isEmpty();
        assertThat(config.warning(Party.NAMENODE, "0.0.0.0"))
                .hasValueSatisfying(text -> assertThat(text).contains("0.0.0.0", "namenode"));
    }

    @Test
    void requiredNeedsASecret() {
        AuthenticationConfig config = new AuthenticationConfig(Mode.REQUIRED, null);
        assertThatThrownBy(config::forCaller)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("security.secret-file");
        assertThatThrownBy(() -> config.forServer(Party.NAMENODE, "127.0.0.1"))
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void keysSayIt() throws IOException {
        var values =
                new ConfigurationLoader(
                                Map.of(
                                        "CRAIL_SECURITY_SECRET_FILE",
                                        "/etc/crail/secret",
                                        "CRAIL_SECURITY_AUTHENTICATION",
                                        "required"))
                        .load();
        assertThat(AuthenticationConfig.of(values))
                .isEqualTo(AuthenticationConfig.required(Path.of("/etc/crail/secret")));
        assertThat(AuthenticationConfig.of(new ConfigurationLoader(Map.of()).load()))
                .isEqualTo(AuthenticationConfig.DEFAULT);
    }
}
