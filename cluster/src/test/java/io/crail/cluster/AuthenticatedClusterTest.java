// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.authentication.SecretFile;
import io.crail.storage.StorageConfig;
import io.crail.storage.StorageServer;
import io.crail.storage.registration.NamenodeAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients and servers that share a secret, and those that do not. */
@Timeout(120)
class AuthenticatedClusterTest {
    private static final int SEGMENT = 8 << 20;

    @TempDir private Path directory;
    private AuthenticationConfig ours = AuthenticationConfig.DEFAULT;
    private AuthenticationConfig other = AuthenticationConfig.DEFAULT;

    @BeforeEach
    void makeSecrets() throws CrailException {
        ours = secret("ours");
        other = secret("other");
    }

    private AuthenticationConfig secret(String name) throws CrailException {
        Path file = directory.resolve(name);
        SecretFile.create(file, new SecureRandom());
        return AuthenticationConfig.required(file);
    }

    private static EmbeddedClusterConfig.Builder small(AuthenticationConfig authentication) {
        return EmbeddedCluster.builder()
                .capacity(SEGMENT)
                .segmentSize(SEGMENT)
                .authentication(authentication);
    }

    private static CrailClient connect(EmbeddedCluster cluster, AuthenticationConfig config)
            throws CrailException {
        return CrailClient.connect(
                ClientConfig.builder()
                        .namenodes(List.of(cluster.namenode()))
                        .deadline(Duration.ofSeconds(20))
                        .authentication(config)
                        .build());
    }

    @Test
    void whoSharesTheSecretWorksAsEver() throws IOException {
        byte[] content = new byte[3 << 20];
        new Random(1).nextBytes(content);
        try (EmbeddedCluster cluster = small(ours).servers(2).start();
                CrailClient client = cluster.connect()) {
            try (CrailOutputStream out = client.createFile("/file")) {
                out.write(content);
            }
            assertThat(read(client, "/file", content.length)).isEqualTo(content);
            CrailTable table = client.createTable("/table");
            byte[] key = "key".getBytes(StandardCharsets.UTF_8);
            table.put(key, content);
            assertThat(client.clientStatistics().namenode())
                    .as("proofs are shown over the Unix socket, too")
                    .endsWith("/local/rpc.sock");
            cluster.restartNamenode();
            cluster.restartStorage(0);
            cluster.restartStorage(1);
            assertThat(table.get(key).orElseThrow().toByteArray()).isEqualTo(content);
            assertThat(client.statistics().servers()).hasSize(2);
        }
    }

    private static byte[] read(CrailClient client, String path, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        try (CrailFile file = client.open(path)) {
            long at = 0;
            while (buffer.hasRemaining()) {
                at += file.read(at, buffer);
            }
        }
        return buffer.array();
    }

    @Test
    void othersAreRefusedByNameAndReason() throws IOException {
        Path open = directory.resolve("open");
        SecretFile.create(open, new SecureRandom());
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        try (EmbeddedCluster cluster = small(ours).start()) {
            assertThatThrownBy(() -> connect(cluster, AuthenticationConfig.DEFAULT))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("security.secret-file");
            assertThatThrownBy(() -> connect(cluster, other))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContainingAll(
                            cluster.namenode(),
                            "security.secret-file",
                            String.valueOf(other.secretFile()));
            assertThatThrownBy(() -> connect(cluster, AuthenticationConfig.required(open)))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContainingAll(open.toString(), "chmod 600");
            Path missing = directory.resolve("missing");
            assertThatThrownBy(() -> connect(cluster, AuthenticationConfig.required(missing)))
                    .isInstanceOf(InvalidArgumentException.class);
            cluster.client().mkdir("/others-are-not-disturbed");
        }
    }

    @Test
    void aClientWithASecretIsNotTalkedOutOfIt() throws IOException {
        try (EmbeddedCluster cluster = small(AuthenticationConfig.DEFAULT).start()) {
            assertThatThrownBy(() -> connect(cluster, ours))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContainingAll(cluster.namenode(), "does not prove");
        }
    }

    @Test
    void aStorageServerWithAnotherSecretEndsAtOnce() throws IOException {
        try (EmbeddedCluster cluster = small(ours).servers(0).start()) {
            int port = Integer.parseInt(cluster.namenode().replaceFirst(".*:", ""));
            for (AuthenticationConfig wrong : List.of(other, AuthenticationConfig.DEFAULT)) {
                StorageConfig config =
                        StorageConfig.builder(new NamenodeAddress("127.0.0.1", port))
                                .capacity(SEGMENT)
                                .segmentSize(SEGMENT)
                                .directory(directory.resolve("storage"))
                                .transport("nio")
                                .authentication(wrong)
                                .build();
                try (StorageServer server = StorageServer.start(config)) {
                    assertThatThrownBy(() -> server.awaitRegistered(Duration.ofSeconds(30)))
                            .isInstanceOf(AccessDeniedException.class)
                            .hasMessageContaining("security.secret-file");
                }
            }
            assertThat(cluster.client().statistics().servers()).isEmpty();
        }
    }

    @Test
    void aStorageServerDoesNotListenWhereOthersCanReachItWithoutASecret() {
        StorageConfig config =
                StorageConfig.builder(new NamenodeAddress("127.0.0.1", 1))
                        .bind("0.0.0.0", 0)
                        .directory(directory.resolve("storage"))
                        .build();
        assertThatThrownBy(() -> StorageServer.start(config))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContainingAll("storage server", "0.0.0.0", "crail secret create");
        assertThat(directory.resolve("storage")).doesNotExist();
    }

    @Test
    void aStrangerAtTheNamenodesAddressDoesNotEndTheSession() throws IOException {
        AtomicReference<AuthenticationConfig> current = new AtomicReference<>(ours);
        EmbeddedClusterConfig.Builder builder =
                small(ours)
                        .namenode(
                                namenode ->
                                        namenode.authentication(
                                                Objects.requireNonNull(current.get())));
        byte[] half = new byte[100_000];
        try (EmbeddedCluster cluster = builder.start();
                CrailClient client = cluster.connect();
                CrailOutputStream out = client.createFile("/file")) {
            out.write(half);
            out.sync();
            for (AuthenticationConfig stranger : List.of(other, AuthenticationConfig.DEFAULT)) {
                current.set(stranger);
                cluster.restartNamenode();
                CrailClient hasty = client.withDeadline(Duration.ofSeconds(3));
                assertThatThrownBy(() -> hasty.mkdir("/secret-name"))
                        .isInstanceOf(CrailException.class);
            }
            current.set(ours);
            cluster.restartNamenode();
            out.write(half);
            out.sync();
            assertThat(client.status("/file").length()).isEqualTo(2L * half.length);
            assertThat(client.lookup("/secret-name")).isEmpty();
        }
    }
}
