// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.xattr;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.error.CrailException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class XattrCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String path = "";

    @BeforeEach
    void makeDirectory() throws CrailException {
        path = CLUSTER.directory();
    }

    private Run xattr(String command, String... arguments) {
        String[] all = new String[arguments.length + 3];
        all[0] = "fs";
        all[1] = "xattr";
        all[2] = command;
        System.arraycopy(arguments, 0, all, 3, arguments.length);
        return CLUSTER.run(all);
    }

    @Test
    void whatIsSetIsReadListedAndRemoved() {
        assertThat(xattr("set", path, "user.b", "two words").status()).isZero();
        assertThat(xattr("set", path, "user.a", "").status()).isZero();
        assertThat(xattr("get", path, "user.b").out()).isEqualTo("two words");
        assertThat(xattr("ls", path).out()).isEqualTo("user.a\nuser.b\n");
        assertThat(xattr("ls", "-l", path).out())
                .isEqualTo("user.a  \"\"\nuser.b  \"two words\"\n");
        assertThat(xattr("rm", path, "user.a").status()).isZero();
        assertThat(xattr("ls", path).out()).isEqualTo("user.b\n");
    }

    @Test
    void valuesThatAreNoTextAreBase64() {
        xattr("set", "--base64", path, "user.key", "AAEC");
        assertThat(xattr("ls", "-l", path).out()).isEqualTo("user.key  0sAAEC\n");
        assertThat(xattr("get", "--json", path, "user.key").out())
                .isEqualTo("{\"name\": \"user.key\", \"base64\": \"AAEC\"}\n");
        xattr("set", path, "user.source", "kafka");
        assertThat(xattr("ls", "--json", path).out())
                .contains("{\"name\": \"user.source\", \"value\": \"kafka\"}");
        assertThat(xattr("set", "--base64", path, "user.key", "?").status()).isNotZero();
    }

    @Test
    void conditionsAreKept() {
        assertThat(xattr("set", "--replace", path, "user.a", "1").status()).isNotZero();
        assertThat(xattr("set", "--create", path, "user.a", "1").status()).isZero();
        assertThat(xattr("set", "--create", path, "user.a", "2").err()).contains("user.a");
        assertThat(xattr("set", "--replace", path, "user.a", "3").status()).isZero();
        assertThat(xattr("get", path, "user.a").out()).isEqualTo("3");
        assertThat(xattr("set", "--create", "--replace", path, "user.a", "4").status()).isNotZero();
    }

    @Test
    void whatIsMissingIsAnErrorWithoutForce() {
        assertThat(xattr("get", path, "user.a").err())
                .contains(path + " has no extended attribute 'user.a'");
        assertThat(xattr("rm", path, "user.a").status()).isNotZero();
        assertThat(xattr("rm", "-f", path, "user.a").status()).isZero();
        assertThat(xattr("ls", path + "/nothing").status()).isNotZero();
        assertThat(xattr("set", path, "colour", "blue").err()).contains("user.");
    }
}
