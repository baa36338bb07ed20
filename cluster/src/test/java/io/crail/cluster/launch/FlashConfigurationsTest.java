// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.storage.StorageConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator says of flash, and what cannot be meant. */
class FlashConfigurationsTest {
    @TempDir Path directory;

    private static StorageConfig of(String... keys) throws CrailException {
        String[] all = new String[keys.length + 2];
        all[0] = "client.namenodes=a:1";
        all[1] = "storage.tier=nvmf";
        System.arraycopy(keys, 0, all, 2, keys.length);
        return StorageConfigurations.of(LaunchersTest.values(all));
    }

    @Test
    void aTargetReachesTheTierWithTheDirectoryOfTheIdentity() throws CrailException {
        StorageConfig config =
                of(
                        "storage.nvmf.target=tcp:h:4420",
                        "storage.nvmf.nqn=nqn.2026-11.example:x",
                        "storage.nvmf.namespace=3",
                        "storage.nvmf.keep-alive=2s",
                        "storage.nvmf.deallocate=off",
                        "storage.dir=/var/lib/crail/flash");
        assertThat(config.storageClass()).isEqualTo(1);
        assertThat(config.directory()).isEqualTo(Path.of("/var/lib/crail/flash"));
        assertThat(config.tierOptions())
                .containsEntry("target", "tcp:h:4420")
                .containsEntry("nqn", "nqn.2026-11.example:x")
                .containsEntry("namespace", "3")
                .containsEntry("keep_alive_millis", "2000")
                .containsEntry("deallocate", "false")
                .doesNotContainKey("file");
    }

    @Test
    void fileAndTargetTogetherAreRefused() {
        assertThatThrownBy(
                        () ->
                                of(
                                        "storage.nvmf.target=tcp:h:4420",
                                        "storage.nvmf.file=" + directory.resolve("f"),
                                        "storage.dir=/d"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--file")
                .hasMessageContaining("--target tcp:h:4420");
    }

    @Test
    void whatHasNoFileHasItsIdentityAmongTheStateOfTheUser() throws CrailException {
        String medium = "tcp:h:4420 nqn.2026-11.example:x 1";
        Path place = IdentityPlace.of(medium, Map.of(), "/home/me");
        assertThat(place.getParent()).isEqualTo(Path.of("/home/me/.local/state/crail/flash"));
        assertThat(place.getFileName().toString())
                .matches("tcp-h-4420-nqn[.]2026-11[.]example-x-1-[0-9a-f]{8}");
        assertThat(IdentityPlace.of(medium + "1", Map.of(), "/home/me")).isNotEqualTo(place);
        assertThat(IdentityPlace.of(medium, Map.of("XDG_STATE_HOME", "/state"), ""))
                .isEqualTo(Path.of("/state/crail/flash").resolve(place.getFileName()));
    }

    @Test
    void aTargetAndADeviceNeedNoDirectory() throws CrailException {
        StorageConfig target =
                of("storage.nvmf.target=tcp:h:4420", "storage.nvmf.nqn=nqn.2026-11.example:x");
        assertThat(String.valueOf(target.directory()))
                .contains("crail/flash/tcp-h-4420-nqn.2026-11.example-x-1-");
        assertThat(String.valueOf(of("storage.nvmf.file=/dev/null").directory()))
                .contains("crail/flash/dev-null-");
    }

    @Test
    void whoHasNoHomeNamesADirectory() {
        assertThatThrownBy(() -> IdentityPlace.of("/dev/nvme0n1", Map.of(), "?"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("/dev/nvme0n1")
                .hasMessageContaining("--dir");
    }

    @Test
    void aFileThatIsThereKeepsItsSize() throws Exception {
        Path file = Files.write(directory.resolve("flash.img"), new byte[12 << 20]);
        assertThat(of("storage.nvmf.file=" + file).capacity()).isEqualTo(12 << 20);
        assertThat(of("storage.nvmf.file=" + file, "storage.capacity=16MiB").capacity())
                .isEqualTo(16 << 20);
        assertThat(of("storage.nvmf.file=" + file, "storage.capacity=16MiB").directory())
                .isEqualTo(directory.resolve("flash.img.server"));
    }

    @Test
    void aSubsystemWithoutATargetIsRefused() {
        assertThatThrownBy(
                        () ->
                                of(
                                        "storage.nvmf.nqn=nqn.2026-11.example:x",
                                        "storage.nvmf.file=" + directory.resolve("f")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--target");
    }

    @Test
    void neitherFileNorTargetIsRefused() {
        assertThatThrownBy(FlashConfigurationsTest::of)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--file")
                .hasMessageContaining("--target");
    }

    @Test
    void aFileInADirectoryThatIsNotThereIsRefusedAndNothingIsMade() {
        Path missing = directory.resolve("no/such");
        assertThatThrownBy(() -> of("storage.nvmf.file=" + missing.resolve("crail.img")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("there is no directory " + missing);
        assertThat(Files.exists(missing.getParent())).isFalse();
    }

    @Test
    void theIdentityOfAFileIsBesideIt() throws CrailException {
        assertThat(of("storage.nvmf.file=" + directory.resolve("crail.img")).directory())
                .isEqualTo(directory.resolve("crail.img.server"));
    }
}
