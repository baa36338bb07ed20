// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalClusterTest {
    private static final Endpoint NAMENODE = new Endpoint("127.0.0.1", 1234);

    @TempDir private Path temporary;

    @Test
    void whatIsWrittenIsReadAgain() throws IOException {
        LocalCluster cluster =
                new LocalCluster(
                        cluster("a"),
                        NAMENODE,
                        2,
                        temporary,
                        new ByteSize(1 << 20),
                        List.of("--set=a=b"));
        cluster.write();
        assertThat(LocalCluster.read(cluster.directory())).isEqualTo(cluster);
        assertThat(cluster.processNames()).containsExactly("storage-0", "storage-1", "namenode");
    }

    @Test
    void aClusterWithFlashHasOneProcessMore() throws IOException {
        LocalFlash flash =
                new LocalFlash(Path.of("/var/tmp/with a blank/x"), new ByteSize(3L << 29));
        LocalCluster cluster =
                new LocalCluster(
                        cluster("a"),
                        NAMENODE,
                        1,
                        temporary,
                        new ByteSize(1 << 20),
                        Optional.of(flash),
                        List.of("-Da=flash 1 /b"));
        cluster.write();
        assertThat(LocalCluster.read(cluster.directory())).isEqualTo(cluster);
        assertThat(cluster.processNames()).containsExactly("storage-0", "flash", "namenode");
        assertThat(LocalCluster.role("flash")).isEqualTo("storage");
    }

    @Test
    void onlyAClusterWhoseNamenodeRunsIsFound() throws IOException {
        StateDirectory state = new StateDirectory(temporary);
        LocalCluster cluster =
                new LocalCluster(cluster("a"), NAMENODE, 0, temporary, new ByteSize(1), List.of());
        cluster.write();
        assertThat(LocalCluster.find(state, "a")).isNull();
        ProcessMark.of(ProcessHandle.current().pid())
                .orElseThrow()
                .write(LocalCluster.pidFile(cluster.directory(), LocalCluster.NAMENODE));
        assertThat(LocalCluster.find(state, "a")).isEqualTo(cluster);
        assertThat(LocalCluster.find(state, "b")).isNull();
    }

    @Test
    void aDirectoryThatOthersCanWriteIsNotTrusted() throws IOException {
        Path directory = cluster("a");
        new LocalCluster(directory, NAMENODE, 1, temporary, new ByteSize(1), List.of()).write();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(LocalCluster.read(directory)).isNull();
    }

    @Test
    void nonsenseIsNoCluster() throws IOException {
        Path directory = cluster("a");
        assertThat(LocalCluster.read(directory)).isNull();
        Files.writeString(directory.resolve("cluster"), "x\ny\n");
        assertThat(LocalCluster.read(directory)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "-x", "a b"})
    void aNameCannotLeadElsewhere(String name) {
        assertThatThrownBy(() -> new StateDirectory(temporary).cluster(name))
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void theRuntimeDirectoryOfTheUserComesFirst() {
        assertThat(StateDirectory.ofUser(Map.of("XDG_RUNTIME_DIR", temporary.toString())).path())
                .isEqualTo(temporary.resolve("crail"));
        assertThat(StateDirectory.ofUser(Map.of()).path().toString()).startsWith("/tmp/crail-");
    }

    @Test
    void aStateDirectoryThatOthersCanWriteIsRefused() throws IOException {
        Path open = Files.createDirectory(temporary.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> new StateDirectory(open).prepare())
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining(open.toString());
    }

    @Test
    void aStateDirectoryIsMadeForItsOwnerOnly() throws IOException {
        StateDirectory state = new StateDirectory(temporary.resolve("new"));
        state.prepare();
        state.prepare();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void theReadyLineIsFoundOnceItIsComplete() {
        String line = ReadyLine.of("namenode", "127.0.0.1:1234");
        assertThat(line).isEqualTo("crail namenode ready on 127.0.0.1:1234");
        assertThat(ReadyLine.findAddress("noise\n" + line + "\n", "namenode")).contains(NAMENODE);
        assertThat(ReadyLine.findAddress(line, "namenode")).isEmpty();
        String status = ReadyLine.ofStatus("namenode", "http://127.0.0.1:99");
        assertThat(ReadyLine.findStatus(status + "\n" + line + "\n", "namenode"))
                .contains("http://127.0.0.1:99");
        assertThat(ReadyLine.findStatus(line + "\n", "namenode")).isEmpty();
        assertThat(ReadyLine.findAddress(line + "\n", "storage")).isEmpty();
    }

    private Path cluster(String name) throws IOException {
        return Files.createDirectory(
                temporary.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
