// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NodeExistsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretFileTest {
    @TempDir private Path directory;
    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("below").resolve("secret");
    }

    private void write(String content, String mode) throws IOException {
        Files.createDirectories(directory.resolve("below"));
        Files.writeString(file, content);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private static String line(int bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(new byte[bytes]) + "\n";
    }

    @Test
    void aNewSecretIsForItsOwnerOnlyAndReadsBack() throws IOException {
        SecretFile.create(file, new SecureRandom());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
        byte[] decoded = Base64.getUrlDecoder().decode(Files.readString(file).strip());
        assertThat(decoded).hasSize(32);
        assertThat(SecretFile.read(file).mac(new byte[1]))
                .isEqualTo(new Secret(decoded).mac(new byte[1]));
    }

    @Test
    void anExistingFileIsNeverOverwritten() throws IOException {
        SecretFile.create(file, new SecureRandom());
        String before = Files.readString(file);
        assertThatThrownBy(() -> SecretFile.create(file, new SecureRandom()))
                .isInstanceOf(NodeExistsException.class)
                .hasMessageContainingAll(file.toString(), "never overwritten");
        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rw-r--r--",
                "rw-r-----",
                "rw--w----",
                "rw----r--",
                "rw-----w-",
                "rwx--x---"
            })
    void aFileThatIsOpenToOthersIsRefused(String mode) throws IOException {
        write(line(32), mode);
        assertThatThrownBy(() -> SecretFile.read(file))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContainingAll(mode, "chmod 600", "security.secret-file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--------"})
    void aFileOfItsOwnerIsTaken(String mode) throws IOException {
        write(line(32), mode);
        assertThatCode(() -> SecretFile.read(file)).doesNotThrowAnyException();
    }

    @Test
    void theModeOfALinkedFileCounts() throws IOException {
        write(line(32), "rw-r--r--");
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        assertThatThrownBy(() -> SecretFile.read(link)).isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void aFileOfAnotherUserIsRefused() throws IOException {
        Path foreign = file;
        if (System.getProperty("user.name").equals("root")) {
            write(line(32), "rw-------");
            Files.setAttribute(file, "unix:uid", 65_534);
        } else {
            foreign = Path.of("/proc/1/status"); // of root
        }
        Path read = foreign;
        assertThatThrownBy(() -> SecretFile.read(read))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("belongs to user");
    }

    @Test
    void aMissingFileIsToldWithWhatToDo() {
        assertThatThrownBy(() -> SecretFile.read(file))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContainingAll(file.toString(), "crail secret create");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 16, 31, 65, 900, 5000})
    void aSecretOfAnotherLengthIsRefused(int bytes) throws IOException {
        write(line(bytes), "rw-------");
        assertThatThrownBy(() -> SecretFile.read(file))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("base64url");
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 33, 64})
    void longerSecretsAreTaken(int bytes) throws IOException {
        write(line(bytes), "rw-------");
        assertThatCode(() -> SecretFile.read(file)).doesNotThrowAnyException();
    }

    @Test
    void whatAFileHoldsIsNeverPrinted() throws IOException {
        write("correct horse battery staple, my password!", "rw-------");
        assertThatThrownBy(() -> SecretFile.read(file))
                .isInstanceOf(CrailException.class)
                .satisfies(
                        e -> {
                            for (Throwable t = e; t != null; t = t.getCause()) {
                                assertThat(t.toString()).doesNotContain("horse");
                            }
                        });
    }
}
