// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrailSettingsTest {
    private static SparkConf conf() {
        return new SparkConf(false).set("spark.crail.namenodes", "a:1 , b:2");
    }

    @Test
    void theDefaultsAreThoseOfTheTable() throws InvalidArgumentException {
        CrailSettings settings = CrailSettings.of(conf());
        assertThat(settings.client().namenodes()).containsExactly("a:1", "b:2");
        assertThat(settings.shuffle()).isTrue();
        assertThat(settings.directory()).isEqualTo("/spark");
        assertThat(settings.storageClass()).isEmpty();
        assertThat(settings.bufferSize()).isEqualTo(1 << 20);
        assertThat(settings.readInFlight()).isEqualTo(48 << 20);
        assertThat(settings.client().sessionTimeout()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void sessionsLastAsLongAsSparkWaits() throws InvalidArgumentException {
        assertThat(
                        CrailSettings.of(conf().set("spark.network.timeout", "10min"))
                                .client()
                                .sessionTimeout())
                .isEqualTo(Duration.ofMinutes(10));
        assertThat(
                        CrailSettings.of(conf().set("spark.crail.client.session.timeout", "5 min"))
                                .client()
                                .sessionTimeout())
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void settingsOfTheClientArePassedOn() throws InvalidArgumentException {
        assertThat(
                        CrailSettings.of(conf().set("spark.crail.client.deadline", "7 s"))
                                .client()
                                .deadline())
                .isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void kryoIsAskedWhereItMayDoSomethingElse() throws InvalidArgumentException {
        assertThat(CrailSettings.of(conf()).basicTypes()).isTrue();
        assertThat(CrailSettings.of(conf().set("spark.kryo.classesToRegister", "a.B")).basicTypes())
                .isTrue();
        assertThat(CrailSettings.of(conf().set("spark.kryo.registrator", "a.B")).basicTypes())
                .isFalse();
        assertThat(
                        CrailSettings.of(conf().set("spark.crail.shuffle.basicTypes", "false"))
                                .basicTypes())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "spark.crail.shuffle.enabled, yes",
        "spark.crail.shuffle.basicTypes, kryo",
        "spark.crail.storageClass, 256",
        "spark.crail.storageClass, fast",
        "spark.crail.directory, spark",
        "spark.crail.directory, /",
        "spark.crail.shuffle.write.bufferSize, 2m",
        "spark.crail.shuffle.write.maxStreams, 0",
        "spark.crail.bufferPool, much",
        "spark.crail.namenodes, nowhere",
        "spark.crail.client.deadlin, 1 s",
        "spark.crail.client.deadline, 1 parsec",
        "spark.crail.shufle.enabled, true"
    })
    void whatIsImpossibleIsNamed(String key, String value) {
        assertThatThrownBy(() -> CrailSettings.of(conf().set(key, value)))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageMatching("(?s).*(" + key.replace(".", "\\.") + "|nowhere).*");
    }

    @Test
    void withoutThePluginThereIsNoDirectory() {
        assertThatThrownBy(() -> CrailSettings.applicationDirectory(conf()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("spark.plugins=io.crail.spark.CrailSparkPlugin");
    }

    @Test
    void everySettingIsDocumented() throws IOException {
        List<String> page =
                Files.readAllLines(Path.of(System.getProperty("crail.home"), "docs", "spark.md"));
        assertThat(page)
                .containsSequence(
                        SparkKey.ALL.stream()
                                .map(
                                        key ->
                                                "| `"
                                                        + key.name()
                                                        + "` | "
                                                        + (key.defaultText().isEmpty()
                                                                ? ""
                                                                : "`" + key.defaultText() + "` ")
                                                        + "| "
                                                        + key.meaning()
                                                        + " |")
                                .toList());
    }
}
