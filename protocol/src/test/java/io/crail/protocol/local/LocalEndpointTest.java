// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which directories a caller takes for the server's. */
class LocalEndpointTest {
    private final byte[] cookie = new byte[LocalEndpoint.COOKIE_BYTES];
    private @TempDir Path temporary;
    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException {
        Arrays.fill(cookie, (byte) 7);
        directory = temporary.toRealPath().resolve("local");
        Files.createDirectory(
                directory,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.write(directory.resolve(LocalEndpoint.COOKIE), cookie);
    }

    private LocalEndpoint told() {
        return new LocalEndpoint(directory.toString(), cookie);
    }

    private static void isRefused(LocalEndpoint endpoint) {
        assertThatThrownBy(endpoint::find).isInstanceOf(IOException.class);
    }

    @Test
    void aDirectoryOfOnesOwnWithTheCookieIsTheServers() throws IOException {
        assertThat(told().find()).isEqualTo(directory.resolve(LocalEndpoint.SOCKET));
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        assertThat(new LocalEndpoint(link.toString(), cookie).find())
                .as("the socket behind a link")
                .isEqualTo(directory.resolve(LocalEndpoint.SOCKET));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwx--x---", "rwx-----x", "rwxrwxrwx", "rwx---r--"})
    void aDirectoryThatOthersMayEnterIsRefused(String mode) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(mode));
        isRefused(told());
    }

    @Test
    void aDirectoryOfAnotherUserIsRefusedEvenByRoot() throws IOException {
        Assumptions.assumeTrue(
                Files.getAttribute(directory, "unix:uid").equals(0), "only root gives files away");
        Files.setAttribute(directory, "unix:uid", 65534);
        isRefused(told());
    }

    @Test
    void anotherCookieIsRefused() throws IOException {
        Path file = directory.resolve(LocalEndpoint.COOKIE);
        for (int length : new int[] {0, 31, 33}) {
            Files.write(file, Arrays.copyOf(cookie, length));
            isRefused(told());
        }
        byte[] other = cookie.clone();
        other[31]++;
        Files.write(file, other);
        isRefused(told());
    }

    @Test
    void aCookieThatIsNoFileIsRefused() throws IOException {
        Path file = directory.resolve(LocalEndpoint.COOKIE);
        Path elsewhere = Files.move(file, temporary.resolve("elsewhere"));
        isRefused(told());
        Files.createSymbolicLink(file, elsewhere);
        isRefused(told());
        Files.delete(file);
        Files.createDirectory(file);
        isRefused(told());
    }

    @Test
    void whatIsNotThereIsRefused() throws IOException {
        isRefused(LocalEndpoint.NONE);
        isRefused(new LocalEndpoint("relative", cookie));
        isRefused(new LocalEndpoint("/with\0zero", cookie));
        isRefused(new LocalEndpoint(directory + "/missing", cookie));
        isRefused(new LocalEndpoint(directory + "/" + LocalEndpoint.COOKIE, cookie));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 31, 33})
    void aCookieOfAnotherLengthIsNotEvenLookedFor(int length) throws IOException {
        byte[] told = Arrays.copyOf(cookie, length);
        Files.write(directory.resolve(LocalEndpoint.COOKIE), told);
        isRefused(new LocalEndpoint(directory.toString(), told));
    }
}
