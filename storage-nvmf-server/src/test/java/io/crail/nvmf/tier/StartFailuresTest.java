// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.target.backing.NoSpaceException;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.protocol.authentication.Credentials;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.spi.TierContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tier that cannot start says so by the class of its error, and what to do by its message. */
@Timeout(60)
class StartFailuresTest {
    private static final long SIZE = 8 << 20;

    @TempDir Path directory;

    private Path image() {
        return directory.resolve("crail.img");
    }

    private static void open(Path file, long bytes, String host, int port, Map<String, String> more)
            throws CrailException {
        Map<String, String> options = new HashMap<>(Map.of("transport", "nio"));
        if (!more.containsKey("target")) {
            options.put("file", file.toString());
        }
        options.putAll(more);
        new NvmfTierProvider()
                .open(
                        new TierContext(
                                UUID.randomUUID(),
                                Path.of("."),
                                bytes,
                                1 << 20,
                                false,
                                host,
                                port,
                                List.of("127.0.0.1"),
                                ServiceLimits.DEFAULT,
                                Credentials.NONE,
                                options))
                .close();
    }

    private static void open(Path file, long bytes) throws CrailException {
        open(file, bytes, "127.0.0.1", 0, Map.of("allocation", "sparse"));
    }

    @Test
    void tooLittleSpaceIsOutOfSpaceAndNothingIsLeft() {
        long tooMuch = (directory.toFile().getUsableSpace() & -4096) + (1L << 40);
        assertThatThrownBy(
                        () ->
                                open(
                                        image(),
                                        tooMuch,
                                        "127.0.0.1",
                                        0,
                                        Map.of("allocation", "written")))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining(image().toString())
                .hasMessageContaining("choose a smaller size or another place");
        assertThat(image()).doesNotExist();
    }

    @Test
    void aSparseFileThatFillsTheFileSystemAtTheStartIsOutOfSpace() throws Exception {
        MediumHook full =
                (access, position, bytes) -> {
                    if (access == MediumHook.Access.WRITE) {
                        throw new NoSpaceException("full: make room", new IOException("ENOSPC"));
                    }
                };
        assertThatThrownBy(() -> TierFixture.open(directory, full))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("crail.img")
                .hasMessageContaining("make room");
    }

    @Test
    void anotherSizeThanTheFileHasIsAnInvalidArgument() throws Exception {
        open(image(), SIZE);
        assertThatThrownBy(() -> open(image(), 2 * SIZE))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(image().toString())
                .hasMessageContaining("name its size, or another file");
    }

    @Test
    void aFileThatAnotherServerServesIsBusy() throws Exception {
        try (TierFixture first = TierFixture.open(directory, MediumHook.NONE)) {
            assertThat(first.segment).isDone();
            assertThatThrownBy(() -> open(image(), SIZE))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining(image().toString())
                    .hasMessageContaining("name another file");
        }
    }

    @Test
    void aFileThatMayNotBeWrittenIsDenied() throws Exception {
        open(image(), SIZE);
        Files.setPosixFilePermissions(image(), PosixFilePermissions.fromString("r--------"));
        assumeThat(Files.isWritable(image())).as("everybody but root may not").isFalse();
        for (String direct : List.of("preferred", "off")) {
            assertThatThrownBy(() -> open(image(), SIZE, "127.0.0.1", 0, Map.of("direct", direct)))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining(image().toString())
                    .hasMessageContaining("it must be readable and writable");
        }
    }

    @Test
    void aDirectoryThatMayNotBeWrittenIsDenied() throws Exception {
        Path closed = Files.createDirectory(directory.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
        assumeThat(Files.isWritable(closed)).as("everybody but root may not").isFalse();
        assertThatThrownBy(() -> open(closed.resolve("f"), SIZE))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining(closed + " must be writable");
    }

    @Test
    void aDirectoryThatIsNotThereIsAnInvalidArgument() {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> open(missing.resolve("f"), SIZE))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("make the directory " + missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"preferred", "required", "off"})
    void aDirectoryInTheFilesPlaceIsAnInvalidArgument(String direct) {
        assertThatThrownBy(() -> open(directory, SIZE, "127.0.0.1", 0, Map.of("direct", direct)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(directory + " is a directory");
    }

    @Test
    void aPortThatIsInUseIsBusyAndNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            assertThatThrownBy(
                            () ->
                                    open(
                                            image(),
                                            SIZE,
                                            "127.0.0.1",
                                            port,
                                            Map.of("allocation", "sparse")))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("name another port");
        }
        open(image(), SIZE);
    }

    /** Native transports have errors of their own. */
    @ParameterizedTest
    @ValueSource(strings = {"nio", "auto"})
    void aPortForQuestionsThatIsInUseIsBusyAndNamed(String transport) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            Map<String, String> options =
                    Map.of("allocation", "sparse", "control_port", port, "transport", transport);
            assertThatThrownBy(() -> open(image(), SIZE, "127.0.0.1", 0, options))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("127.0.0.1:" + port)
                    .hasMessageContaining("name another port");
        }
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.1, no address of this host", "no.such.host.invalid, nobody knows"})
    void anAddressThatIsNotOursIsAnInvalidArgument(String host, String message) {
        assertThatThrownBy(() -> open(image(), SIZE, host, 0, Map.of("allocation", "sparse")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(host + ":0")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({
        "CONNECT_INVALID_PARAMETERS, FABRICS, INVALID_ARGUMENT, --nqn",
        "CONNECT_INVALID_HOST, FABRICS, ACCESS_DENIED, admit any host",
        "AUTHENTICATION_REQUIRED, FABRICS, ACCESS_DENIED, admit any host",
        "CONNECT_CONTROLLER_BUSY, FABRICS, BUSY, let it take more",
        "INVALID_NAMESPACE_OR_FORMAT, NVM, INVALID_ARGUMENT, --namespace",
        "NAMESPACE_WRITE_PROTECTED, NVM, ACCESS_DENIED, read and write",
        "CAPACITY_EXCEEDED, NVM, OUT_OF_SPACE, make room",
        "RESERVATION_CONFLICT, NVM, BUSY, Somebody else",
        "INTERNAL_ERROR, NVM, INTERNAL, internal error"
    })
    void whatATargetAnswersHasTheErrorOfItsMeaning(
            StatusCode status, StatusCode.Scope scope, ErrorCode code, String message) {
        NvmeException answer = new NvmeStatusException("Connect", status.status(), scope);
        CrailException error = StartFailures.ofTarget("namespace 3", answer);
        assertThat(error.code()).isEqualTo(code);
        assertThat(error).hasMessageContaining("namespace 3").hasMessageContaining(message);
    }

    @Test
    void aTargetThatIsLostIsAServerThatIsLost() {
        assertThat(StartFailures.of("reading", new NvmeOutcomeUnknownException("gone")))
                .isInstanceOf(ServerLostException.class)
                .hasMessageContaining("whether the target runs");
    }
}
