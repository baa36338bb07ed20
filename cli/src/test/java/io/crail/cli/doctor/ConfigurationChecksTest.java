// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.authentication.SecretFile;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found in configurations. */
class ConfigurationChecksTest {
    private static final Map<String, String> NAMES =
            Map.of(
                    "127.0.0.1", "127.0.0.1",
                    "0.0.0.0", "0.0.0.0",
                    "node7", "10.0.0.7",
                    "debian", "127.0.1.1",
                    "nn", "10.0.0.1");

    @TempDir private Path root;

    private Machine machine() {
        return new Machine(
                root,
                path -> new Machine.Space("ext4", 1L << 40, 1L << 39, 4096),
                ConfigurationChecksTest::resolve);
    }

    private static List<InetAddress> resolve(String host) throws UnknownHostException {
        String address = NAMES.get(host);
        if (address == null) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getByName(address)); // A literal: nobody is asked.
    }

    private List<String> addresses(String hostName, String... assignments) throws IOException {
        return Findings.of(new AddressCheck(machine(), Findings.values(assignments), hostName));
    }

    @Test
    void namesThatAreKnownAreFine() throws IOException {
        assertThat(
                        addresses(
                                "node7",
                                "storage.bind.host=0.0.0.0",
                                "storage.advertise.hosts=node7, nn",
                                "client.namenodes=nn:9060"))
                .singleElement()
                .asString()
                .startsWith("ok");
        assertThat(addresses("debian")).allMatch(text -> text.startsWith("ok"));
    }

    @ParameterizedTest
    @CsvSource({
        "namenode.bind.host=nowhere",
        "storage.status.bind.host=nowhere",
        "storage.advertise.hosts=nowhere",
        "client.namenodes=nowhere:9060"
    })
    void namesThatNobodyKnowsAreProblems(String assignment) throws IOException {
        assertThat(addresses("node7", assignment))
                .singleElement()
                .asString()
                .startsWith("problem")
                .contains("nowhere", assignment.substring(0, assignment.indexOf('=')));
    }

    @Test
    void aServerForOthersThatAnnouncesLoopbackIsToldApart() throws IOException {
        assertThat(
                        addresses(
                                "node7",
                                "storage.bind.host=node7",
                                "storage.advertise.hosts=127.0.0.1"))
                .singleElement()
                .asString()
                .startsWith("warning")
                .contains("storage.advertise.hosts");
        assertThat(addresses("debian", "storage.bind.host=0.0.0.0"))
                .singleElement()
                .asString()
                .startsWith("warning")
                .contains("debian");
    }

    private static List<String> ports(PortCheck.State rpc, PortCheck.State status)
            throws IOException {
        PortCheck.Ports ports =
                new PortCheck.Ports() {
                    @Override
                    public PortCheck.State rpc(Endpoint at) {
                        assertThat(at.port()).isEqualTo(9060);
                        return rpc;
                    }

                    @Override
                    public PortCheck.State status(Endpoint at) {
                        assertThat(at.port()).isEqualTo(9070);
                        return status;
                    }
                };
        return Findings.of(
                new PortCheck(
                        Findings.values(
                                "namenode.status.bind.port=9070", "storage.status.enabled=false"),
                        ports));
    }

    @ParameterizedTest
    @CsvSource({
        "FREE, ok, is free",
        "CRAIL, ok, a server of crail answers",
        "TAKEN, problem, is taken",
        "NOT_HERE, problem, no address of this machine",
        "UNKNOWN, problem, not known",
        "FORBIDDEN, problem, may not listen"
    })
    void portsAreToldByWhoHasThem(PortCheck.State state, String level, String words)
            throws IOException {
        List<String> found = ports(state, PortCheck.State.FREE);
        assertThat(found.get(0)).startsWith(level).contains("namenode.bind.port = 9060", words);
        assertThat(ports(PortCheck.State.FREE, state).get(1))
                .startsWith(level)
                .contains("namenode.status.bind.port = 9070", words);
        // A port of 0 is any free one; what is off needs none.
        assertThat(found.get(2)).contains("storage.bind.port").doesNotContain("storage.status");
    }

    @Test
    void aSecretThatOthersCanReadIsAProblem() throws IOException {
        Path secret = root.resolve("secret");
        SecretFile.create(secret, new SecureRandom());
        String assignment = "security.secret-file=" + secret;
        assertThat(Findings.of(new SecretCheck(Findings.values(assignment))))
                .singleElement()
                .asString()
                .startsWith("ok")
                .doesNotContain(Files.readString(secret).strip());
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(Findings.of(new SecretCheck(Findings.values(assignment))))
                .singleElement()
                .asString()
                .startsWith("problem")
                .contains("chmod 600");
    }

    @Test
    void serversForOthersNeedASecret() throws IOException {
        assertThat(Findings.of(new SecretCheck(Findings.values())).get(0)).startsWith("ok: none");
        assertThat(Findings.of(new SecretCheck(Findings.values("storage.bind.host=0.0.0.0"))))
                .singleElement()
                .asString()
                .startsWith("problem")
                .contains("secret");
        assertThat(
                        Findings.of(
                                new SecretCheck(
                                        Findings.values(
                                                "storage.bind.host=0.0.0.0",
                                                "security.authentication=off"))))
                .singleElement()
                .asString()
                .startsWith("warning");
    }

    private List<String> metadata(Path directory) throws IOException {
        return Findings.of(
                new MetadataCheck(
                        machine(), Findings.values("namenode.metadata.dir=" + directory)));
    }

    @Test
    void aMetadataDirectoryThatCanBeMadeIsFine() throws IOException {
        assertThat(metadata(root.resolve("a/b")))
                .containsExactly("ok: " + root.resolve("a/b") + " can be made in " + root + " -> ");
        Files.createDirectory(root.resolve("a"));
        assertThat(metadata(root.resolve("a")).get(0)).contains("is not in use");
    }

    @Test
    void whoHasTheMetadataLockedIsTold() throws IOException {
        Path lock = Files.createFile(root.resolve("lock"));
        Object inode = Files.getAttribute(lock, "unix:ino");
        Files.createDirectory(root.resolve("proc"));
        Files.writeString(
                root.resolve("proc/locks"),
                "1: FLOCK  ADVISORY  WRITE 11 fe:00:1 0 EOF\n"
                        + "2: POSIX  ADVISORY  WRITE 4711 fe:00:"
                        + inode
                        + " 0 EOF\n");
        assertThat(metadata(root).get(0)).startsWith("ok").contains("process 4711");
    }

    @Test
    void aPathThroughAFileIsAProblemOnlyIfSomebodyHasNamedIt() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        assertThat(metadata(file.resolve("meta")).get(0))
                .startsWith("problem")
                .contains("cannot make it");
        assertThat(metadata(file).get(0)).startsWith("problem").contains("cannot be written");
    }

    @Test
    void aDiskWithoutRoomIsTold() throws IOException {
        Machine full =
                new Machine(
                        root,
                        path -> new Machine.Space("ext4", 1L << 40, 5 << 20, 4096),
                        host -> List.of());
        assertThat(
                        Findings.of(
                                new MetadataCheck(
                                        full, Findings.values("namenode.metadata.dir=" + root))))
                .anyMatch(text -> text.startsWith("warning: 5.0 MiB are free"));
    }
}
