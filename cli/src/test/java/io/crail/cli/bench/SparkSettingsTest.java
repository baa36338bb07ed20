// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.spark.Shape;
import io.crail.bench.spark.Side;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SparkSettingsTest {
    private static final Shape SHAPE = new Shape(2, 2, 4096, 1024);

    private static Map<String, String> of(Side side) throws InvalidArgumentException {
        Setting deadline = Setting.ofCommandLine("client.deadline", "7s", "client.deadline");
        SparkSettings settings =
                new SparkSettings(
                        "host:1",
                        new ConfigurationLoader(Map.of()).commandLine(List.of(deadline)).load(),
                        Path.of("/jars"),
                        Map.of("spark.shuffle.compress", "true"));
        return settings.of(side, SHAPE, Path.of("/local"), Path.of("/temporary"));
    }

    @Test
    void bothSidesAreTheSameApplicationButForTheName() throws InvalidArgumentException {
        Map<String, String> vanilla = of(Side.VANILLA_SHARED_MEMORY);
        Map<String, String> crail = of(Side.CRAIL);
        assertThat(vanilla)
                .containsEntry("spark.master", "local-cluster[2,2,4096]")
                .containsEntry("spark.executor.memory", "4096m")
                .containsEntry("spark.local.dir", "/local");
        assertThat(vanilla.keySet())
                .noneMatch(key -> key.startsWith("spark.crail") || key.equals("spark.plugins"));
        crail.keySet()
                .removeIf(key -> key.startsWith("spark.crail") || key.equals("spark.plugins"));
        vanilla.remove("spark.app.name");
        crail.remove("spark.app.name");
        assertThat(crail).isEqualTo(vanilla);
    }

    @Test
    void thePlugInIsToldWhereTheClusterIsAndHowClientsAreSet() throws InvalidArgumentException {
        assertThat(of(Side.CRAIL))
                .containsEntry("spark.plugins", "io.crail.spark.CrailSparkPlugin")
                .containsEntry("spark.crail.namenodes", "host:1")
                .containsEntry("spark.crail.client.deadline", "7 s");
    }

    @Test
    void whatAUserSetsHoldsForBothSides() throws InvalidArgumentException {
        assertThat(of(Side.CRAIL)).containsEntry("spark.shuffle.compress", "true");
        assertThat(of(Side.VANILLA_SHARED_MEMORY)).containsEntry("spark.shuffle.compress", "true");
    }

    @Test
    void whatIsNoSettingOfSparkOrTheBenchmarksOwnIsRefused() {
        assertThatThrownBy(() -> SparkSettings.check(Map.of("shuffle.compress", "true")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("shuffle.compress");
        assertThatThrownBy(() -> SparkSettings.check(Map.of("spark.executor.memory", "1g")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("spark.executor.memory");
    }

    @Test
    void temporaryFilesOfAllJvmsAreInOneDirectoryAndUsersMayAddFlags()
            throws InvalidArgumentException {
        String flag = "-Djava.io.tmpdir=/temporary";
        assertThat(SparkSettings.flags(SHAPE, Path.of("/temporary"))).contains(flag);
        for (Side side : Side.values()) {
            assertThat(of(side))
                    .containsEntry("spark.executor.defaultJavaOptions", "'" + flag + "'")
                    .doesNotContainKey("spark.executor.extraJavaOptions");
        }
    }
}
