// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JvmFlagsTest {
    private static List<String> namenode(String users) {
        return flags("CRAIL_NAMENODE_OPTS", users);
    }

    private static List<String> flags(String variable, String users) {
        Map<String, String> environment = new HashMap<>(Map.of(variable, users));
        JvmFlags.complete(environment);
        return List.of(environment.getOrDefault(variable, "").split(" ", -1));
    }

    @Test
    void whoNamesNoneGetsTheDefaults() {
        Map<String, String> environment = new HashMap<>();
        JvmFlags.complete(environment);
        assertThat(environment)
                .containsOnlyKeys("CRAIL_NAMENODE_OPTS", "CRAIL_STORAGE_OPTS")
                .containsEntry(
                        "CRAIL_NAMENODE_OPTS", "-Xms64m -Xmx768m -XX:MaxDirectMemorySize=2g");
        assertThat(namenode(" "))
                .containsExactly("-Xms64m", "-Xmx768m", "-XX:MaxDirectMemorySize=2g");
    }

    @Test
    void flagsAreAddedToTheDefaults() {
        assertThat(namenode("-XX:ShenandoahGCHeuristics=adaptive  -Da=b"))
                .containsExactly(
                        "-Xms64m",
                        "-Xmx768m",
                        "-XX:MaxDirectMemorySize=2g",
                        "-XX:ShenandoahGCHeuristics=adaptive",
                        "-Da=b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx32m", "-XX:MaxHeapSize=32m", "-XX:MaxRAMPercentage=50"})
    void theLargestHeapThatIsNamedWinsAndTheFirstOneIsNotLarger(String heap) {
        assertThat(namenode(heap)).containsExactly("-XX:MaxDirectMemorySize=2g", heap);
    }

    @Test
    void aFirstHeapThatIsNamedLeavesTheLargestOneAsItIs() {
        assertThat(namenode("-Xms500m"))
                .containsExactly("-Xmx768m", "-XX:MaxDirectMemorySize=2g", "-Xms500m");
    }

    @Test
    void aFlagWithAValueThatIsNamedWins() {
        assertThat(namenode("-XX:MaxDirectMemorySize=8g"))
                .containsExactly("-Xms64m", "-Xmx768m", "-XX:MaxDirectMemorySize=8g");
    }

    @Test
    void aCollectorThatIsNamedIsTheOnlyOne() {
        assertThat(flags("CRAIL_STORAGE_OPTS", "-XX:+UseG1GC"))
                .containsExactly(
                        "-Xms64m", "-Xmx256m", "-XX:MaxDirectMemorySize=512m", "-XX:+UseG1GC");
    }
}
