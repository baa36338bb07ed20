// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.cli.Run;
import io.crail.nvmf.initiator.InitiatorConfig;
import io.crail.nvmf.initiator.NvmeAddress;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeInitiator;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TargetCommandTest {
    private static final String NQN = "nqn.2026-11.example:disk";
    private static final String FRIEND = "nqn.2026-11.example:friend";
    private static final String STRANGER = "nqn.2026-11.example:stranger";
    private static final int BLOCK = 4096;

    @TempDir Path directory;

    private Path file(long bytes) throws IOException {
        Path file = directory.resolve("there.img");
        try (RandomAccessFile image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(bytes);
        }
        return file;
    }

    private String newFile() {
        return directory.resolve("new.img").toString();
    }

    @ParameterizedTest
    @CsvSource({
        "--file DIR/f --nqn NQN --size 1MiB, say who may connect",
        "--file DIR/f --nqn NQN --size 1MiB --any-host --allow-host NQN, or --any-host",
        "--nqn NQN --any-host, --file",
        "--file DIR/f --any-host, --nqn",
        "--file DIR/f --nqn disk --size 1MiB --any-host, --nqn \"disk\"",
        "--file DIR/f --nqn NQN --size 1MiB --allow-host me, --allow-host \"me\"",
        "--file DIR/f --nqn nqn.2014-08.org.nvmexpress.discovery --any-host, discovery service",
        "--file DIR/f --nqn NQN --any-host, give a --size",
        "--file DIR/f --nqn NQN --any-host --size 5000, DIR/f must be a multiple of 4096",
        "--file DIR/f --nqn NQN --any-host --size 0, --size must be more",
        "--file DIR/f --nqn NQN --any-host --size much, '--size: ''much'''",
        "--file DIR/f --nqn NQN --any-host --size 1MiB --block-size 1KiB, 512 or 4096",
        "--file DIR/f --nqn NQN --any-host --size 1MiB --port 65536, --port: port 65536",
        "--file DIR/f --nqn NQN --any-host --size 1MiB --host 192.0.2.1, 192.0.2.1:4420",
        "--file DIR --nqn NQN --any-host --size 1MiB, DIR is a directory",
        "--file /dev/null --nqn NQN --any-host --size 1MiB, leave --size out"
    })
    void wrongUseIsExitCodeTwoAndOneLine(String options, String told) throws IOException {
        Run run = run(options.split(" ", -1));
        assertThat(run.status()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains(actual(told)).hasLineCount(1);
        assertThat(run.out()).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    private String actual(String option) {
        return option.replace("DIR", directory.toString()).replace("NQN", NQN);
    }

    private Run run(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "nvmf";
        arguments[1] = "target";
        for (int i = 0; i < options.length; i++) {
            arguments[i + 2] = actual(options[i]);
        }
        return Run.of(arguments);
    }

    @Test
    void aMissingDirectoryIsNotFound() {
        Run run = run("--file", "DIR/none/f", "--size", "1MiB", "--nqn", "NQN", "--any-host");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err())
                .contains("there is no directory " + directory.resolve("none"))
                .doesNotContain("crail fs")
                .hasLineCount(1);
    }

    @Test
    void aPortInUseIsToldBeforeAFileIsMade() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(other.getLocalPort());
            Run run =
                    run("--file=DIR/f", "--size=1MiB", "--nqn=NQN", "--any-host", "--port=" + port);
            assertThat(run.status()).isEqualTo(7);
            assertThat(run.err()).contains("127.0.0.1:" + port, "another port").hasLineCount(1);
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aFileThatIsServedAlreadyIsInUse() throws Exception {
        String file = newFile();
        try (ServingTarget target =
                new ServingTarget("--file", file, "--size", "1MiB", "--nqn", NQN, "--any-host")) {
            Run run = run("--file", file, "--nqn", "NQN", "--any-host", "--port", "0");
            assertThat(run.status()).isEqualTo(7);
            assertThat(run.err()).contains(file + " is already served").hasLineCount(1);
            assertThat(target.err()).isEmpty();
        }
    }

    @Test
    void aFileOfAnotherSizeIsLeftAsItIs() throws IOException {
        Path file = file(2 << 20);
        Run run = run("--file=" + file, "--size=1MiB", "--nqn=NQN", "--any-host", "--port=0");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(file + " has 2097152 bytes").hasLineCount(1);
        assertThat(file).hasSize(2 << 20);
    }

    @Test
    void aHostThatIsNamedReadsWhatItWroteAndAnotherOneIsRefused() throws Exception {
        String file = newFile();
        byte[] written = new byte[BLOCK];
        new Random(1).nextBytes(written);
        try (ServingTarget target =
                        new ServingTarget(
                                "--file=" + file,
                                "--size=1MiB",
                                "--nqn=" + NQN,
                                "--allow-host=" + FRIEND,
                                "--allow-host=" + FRIEND + "2");
                NvmeInitiator friend = initiator(FRIEND);
                NvmeInitiator stranger = initiator(STRANGER)) {
            assertThatThrownBy(() -> connect(stranger, target))
                    .isInstanceOfSatisfying(
                            NvmeStatusException.class,
                            e -> assertThat(e.code()).isEqualTo(StatusCode.CONNECT_INVALID_HOST));
            try (NvmeController controller = connect(friend, target)) {
                NvmeNamespace disk = controller.namespace(1);
                assertThat(disk.blockCount()).isEqualTo((1 << 20) / BLOCK);
                ByteBuffer block = ByteBuffer.allocateDirect(BLOCK).put(written).flip();
                disk.write(3, block).await();
                ByteBuffer read = ByteBuffer.allocateDirect(BLOCK);
                disk.read(3, read).await();
                byte[] answer = new byte[BLOCK];
                read.clear().get(answer);
                assertThat(answer).isEqualTo(written);
                disk.flush().await();
            }
        }
        // It has ended: the file is free, and holds what was written.
        byte[] image = Files.readAllBytes(Path.of(file));
        assertThat(image).hasSize(1 << 20);
        assertThat(ByteBuffer.wrap(image, 3 * BLOCK, BLOCK)).isEqualTo(ByteBuffer.wrap(written));
    }

    private static NvmeInitiator initiator(String name) throws IOException {
        return new NvmeInitiator(InitiatorConfig.of(UUID.randomUUID()).withHostName(name));
    }

    private static NvmeController connect(NvmeInitiator initiator, ServingTarget target)
            throws IOException {
        Endpoint address = target.address();
        return initiator.connect(new NvmeAddress(address.host(), address.port(), NQN));
    }

    @Test
    void anExistingFileKeepsItsSizeAndBlocksMayHave512Bytes() throws Exception {
        Path file = file(3 << 20);
        try (ServingTarget target =
                        new ServingTarget(
                                "--file=" + file,
                                "--nqn=" + NQN,
                                "--any-host",
                                "--block-size=512");
                NvmeInitiator any = initiator(STRANGER);
                NvmeController controller = connect(any, target)) {
            assertThat(controller.namespace(1).blockSize()).isEqualTo(512);
            assertThat(controller.namespace(1).blockCount()).isEqualTo((3 << 20) / 512);
            assertThat(target.err()).isEmpty();
        }
        assertThat(file).hasSize(3 << 20);
    }

    @Test
    void itTellsHowToAttachItAndLastThatItIsReady() throws Exception {
        try (ServingTarget target =
                new ServingTarget("--file", newFile(), "--size=1MiB", "--nqn", NQN, "--any-host")) {
            String port = Integer.toString(target.address().port());
            assertThat(target.out())
                    .isEqualTo(
                            "attach it by: nvme connect -t tcp -a 127.0.0.1 -s "
                                    + port
                                    + " -n "
                                    + NQN
                                    + "\ncrail nvmf target ready on 127.0.0.1:"
                                    + port
                                    + "\n");
        }
    }

    @Test
    void programsGetAnObject() throws Exception {
        Path file = file(1 << 20);
        try (ServingTarget target =
                new ServingTarget(
                        "--json", "--file=" + file, "--nqn", NQN, "--allow-host", FRIEND)) {
            assertThat(target.out())
                    .startsWith("{\"address\": \"127.0.0.1:")
                    .contains(
                            "\"nqn\": \"" + NQN + "\"",
                            "\"file\": \"" + file + "\"",
                            "\"bytes\": 1048576",
                            "\"blockBytes\": 4096",
                            "\"anyHost\": false",
                            "\"allowedHosts\": [\"" + FRIEND + "\"]")
                    .hasLineCount(1);
        }
    }

    @Test
    void whoListensBeyondLoopbackIsWarned() throws Exception {
        Path file = file(1 << 20);
        try (ServingTarget target =
                new ServingTarget("--host=0.0.0.0", "--file=" + file, "--nqn", NQN, "--any-host")) {
            assertThat(target.err())
                    .startsWith("crail: warning:")
                    .contains("neither authenticated nor encrypted", file.toString())
                    .hasLineCount(1);
            assertThat(target.out()).contains("-a ADDRESS-OF-THIS-MACHINE -s ");
        }
    }

    @Test
    void theEndOfAFileThatIsNoWholeNumberOfUnitsIsToldOf() throws Exception {
        Path file = file((1 << 20) + 512);
        try (ServingTarget target =
                new ServingTarget("--file=" + file, "--nqn", NQN, "--any-host")) {
            assertThat(target.err()).contains("the last 512 bytes of " + file).hasLineCount(1);
        }
    }

    @Test
    void whatIsServedIsDiscovered() throws Exception {
        Path file = file(1 << 20);
        try (ServingTarget target =
                new ServingTarget("--file=" + file, "--nqn", NQN, "--allow-host", FRIEND)) {
            String service = "tcp:" + target.address();
            Run table = Run.of("nvmf", "discover", "--hostnqn", FRIEND, service);
            assertThat(table.status()).as(table.err()).isZero();
            assertThat(table.out())
                    .containsPattern("(?m)^TRANSPORT +KIND +ADDRESS +PORT +NQN$")
                    .containsPattern(
                            "(?m)^tcp +nvme +127.0.0.1 +" + target.address().port() + " +" + NQN);

            Run json = Run.of("nvmf", "discover", service, "--json", "--hostnqn", FRIEND);
            assertThat(json.out())
                    .contains(
                            "\"address\": \"127.0.0.1\", \"port\": " + target.address().port(),
                            "\"kind\": \"nvme\"",
                            "\"nqn\": \"" + NQN + "\"");

            Run refused = Run.of("nvmf", "discover", service);
            assertThat(refused.status()).isEqualTo(6);
            assertThat(refused.err()).contains("127.0.0.1").hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tcp:127.0.0.1:1, 7, 127.0.0.1:1",
        "tcp:127.0.0.1, 2, 'tcp:127.0.0.1: '",
        "tcp:127.0.0.1:0, 2, port 0",
        "rdma:127.0.0.1:4420, 2, is not tcp:HOST:PORT",
        "tcp:127.0.0.1:1 --hostnqn me, 2, \"me\""
    })
    void discoveryThatFailsIsOneLine(String arguments, int status, String told) {
        Run run = Run.of(("nvmf discover " + arguments).split(" ", -1));
        assertThat(run.status()).as(run.err()).isEqualTo(status);
        assertThat(run.err()).contains(told).hasLineCount(1);
    }
}
