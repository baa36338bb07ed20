// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.system.process.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The secret of a cluster as users and operators meet it: by commands, files and processes. */
@Tag("system")
@Timeout(240)
class AuthenticationTest {
    private static final int USAGE = 2;
    private static final int ACCESS = 6;

    @TempDir private Path directory;
    private Path secret = Path.of("secret");

    @BeforeEach
    void makeSecret() {
        secret = directory.resolve("secret");
        Command made = crail("secret", "create", secret.toString());
        assertThat(made.status()).as(made.err()).isZero();
    }

    @AfterEach
    void stop() {
        crail("cluster", "stop");
    }

    private Command crail(String... arguments) {
        return Command.run(directory, arguments);
    }

    /** Runs a command with a secret file and authentication required. */
    private Command with(Path file, String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.add("--set=security.authentication=required");
        all.add("--set=security.secret-file=" + file);
        return crail(all.toArray(new String[0]));
    }

    private void start() {
        // The servers work in another directory than the command that starts them.
        Path relative = Path.of("").toAbsolutePath().relativize(secret.toAbsolutePath());
        Command start = with(relative, "cluster", "start", "--servers=2", "--capacity=32MiB");
        assertThat(start.status()).as(start.err()).isZero();
    }

    private void works(String... arguments) {
        Command command = with(secret, arguments);
        assertThat(command.status()).as("%s: %s", List.of(arguments), command.err()).isZero();
    }

    @Test
    void everyCommandWorksWithTheSecret() throws IOException {
        start();
        byte[] content = new byte[3 << 20];
        Arrays.fill(content, (byte) 7);
        Path file = Files.write(directory.resolve("content"), content);
        works("cluster", "status");
        works("fs", "mkdir", "/d");
        works("fs", "put", file.toString(), "/d/a");
        works("fs", "cp", "/d/a", "/d/b");
        works("fs", "mv", "/d/b", "/d/c");
        works("fs", "touch", "/d/t");
        works("fs", "ls", "/d");
        works("fs", "stat", "/d/a");
        works("fs", "checksum", "/d/a");
        works("fs", "locations", "/d/a");
        works("fs", "tail", "/d/a");
        works("fs", "df");
        works("fs", "du", "/d");
        works("kv", "create", "/t");
        works("kv", "put", "/t", "colour", "blue");
        assertThat(with(secret, "kv", "get", "/t", "colour").out()).startsWith("blue");
        works("kv", "ls", "/t");
        works("kv", "rm", "/t", "colour");
        Path back = directory.resolve("back");
        works("fs", "get", "/d/c", back.toString());
        assertThat(Files.readAllBytes(back)).isEqualTo(content);
        works("fs", "rm", "-r", "/d");
    }

    @Test
    void withoutTheRightSecretNothingWorks() throws IOException {
        start();
        Path other = directory.resolve("other");
        assertThat(crail("secret", "create", other.toString()).status()).isZero();
        Path open = Files.copy(secret, directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        String line = Files.readString(secret).strip();
        for (String[] command :
                new String[][] {
                    {"fs", "ls", "/"},
                    {"fs", "put", secret.toString(), "/stolen"},
                    {"kv", "get", "/t", "k"},
                    {"fs", "df"}
                }) {
            denied(crail(command), "security.secret-file", line);
            denied(with(other, command), other.toString(), line);
            denied(with(open, command), "chmod 600", line);
        }
        assertThat(with(secret, "fs", "ls", "/").out()).isEmpty();
        String logs = logs();
        assertThat(logs).doesNotContain(line).contains("with authentication");
    }

    private static void denied(Command command, String hint, String secret) {
        assertThat(command.status()).as(command.err()).isEqualTo(ACCESS);
        assertThat(command.err()).contains(hint).doesNotContain(secret);
        assertThat(command.out()).isEmpty();
    }

    private String logs() throws IOException {
        StringBuilder all = new StringBuilder();
        try (var files = Files.find(directory, 6, (path, a) -> path.toString().endsWith(".log"))) {
            for (Path file : files.toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Test
    void aSecretIsMadeOnceForItsOwnerOnlyAndNeverPrinted() throws IOException {
        String before = Files.readString(secret);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
                .isEqualTo("rw-------");
        Command again = crail("secret", "create", secret.toString());
        assertThat(again.status()).isEqualTo(4);
        assertThat(again.err()).contains("never overwritten").doesNotContain(before.strip());
        assertThat(Files.readString(secret)).isEqualTo(before);
        assertThat(crail("secret", "create").status()).isEqualTo(USAGE);
        assertThat(with(secret, "config").out())
                .contains(secret.toString())
                .doesNotContain(before.strip());
    }

    @Test
    void aServerThatOthersCanReachNeedsASecret() {
        String metadata = directory.resolve("metadata").toString();
        Command namenode = crail("namenode", "--host=0.0.0.0", "--port=0", "--dir=" + metadata);
        assertThat(namenode.status()).isEqualTo(USAGE);
        assertThat(namenode.err()).contains("0.0.0.0", "crail secret create");
        assertThat(Path.of(metadata)).doesNotExist();
        String data = directory.resolve("data").toString();
        Command storage = crail("storage", "--host=0.0.0.0", "--dir=" + data);
        assertThat(storage.status()).isEqualTo(USAGE);
        assertThat(storage.err()).contains("0.0.0.0", "crail secret create");
    }

    @Test
    void aServerThatIsOpenToAllSaysSo() throws IOException {
        int port = Ports.free();
        try (Command namenode =
                Command.start(
                        directory,
                        "namenode",
                        "--host=0.0.0.0",
                        "--port=" + port,
                        "--dir=" + directory.resolve("metadata"),
                        "--set=security.authentication=off")) {
            namenode.await(() -> namenode.out().contains("ready on"));
            assertThat(namenode.err())
                    .contains("crail: warning: security.authentication is off")
                    .containsPattern("WARN NamenodeServer - security.authentication is off");
            assertThat(crail("fs", "ls", "/", "--namenode=127.0.0.1:" + port).status()).isZero();
            namenode.terminate();
            namenode.awaitEnd();
        }
    }
}
