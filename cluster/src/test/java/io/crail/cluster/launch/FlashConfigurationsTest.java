// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.storage.StorageConfig;
import java.nio.file.Files;
import java.nio.file.Path;
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
                        "storage.dir=/var/lib/crail/flash");
        assertThat(config.storageClass()).isEqualTo(1);
        assertThat(config.directory()).isEqualTo(Path.of("/var/lib/crail/flash"));
        assertThat(config.tierOptions())
                .containsEntry("target", "tcp:h:4420")
                .containsEntry("nqn", "nqn.2026-11.example:x")
                .containsEntry("namespace", "3")
                .containsEntry("keep_alive_millis", "2000")
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
    void aTargetNeedsADirectoryForTheIdentity() {
        assertThatThrownBy(() -> of("storage.nvmf.target=tcp:h:4420"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--dir");
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
