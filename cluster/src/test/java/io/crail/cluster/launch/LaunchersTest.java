// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.NamenodeConfig;
import io.crail.namenode.access.Permissions;
import io.crail.namenode.block.PlacementPolicy;
import io.crail.namenode.log.Durability;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.ConfigurationLoader;
import io.crail.protocol.config.Setting;
import io.crail.protocol.launch.RunningServer;
import io.crail.protocol.launch.ServerLauncher;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.storage.StorageConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LaunchersTest {
    private static final long MIB = 1 << 20;

    static Configuration values(String... assignments) throws CrailException {
        List<Setting> settings = new ArrayList<>();
        for (String assignment : assignments) {
            settings.add(Setting.parseAssignment(assignment, "-D"));
        }
        return new ConfigurationLoader(Map.of()).commandLine(settings).load();
    }

    private static ServerLauncher launcher(String role) {
        return ServiceLoader.load(ServerLauncher.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.role().equals(role))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void bothRolesStartFromAConfiguration(@TempDir Path directory) throws Exception {
        try (RunningServer namenode =
                        launcher("namenode")
                                .start(
                                        values(
                                                "namenode.bind.port=0",
                                                "namenode.metadata.dir="
                                                        + directory.resolve("m")));
                RunningServer storage =
                        launcher("storage")
                                .start(
                                        values(
                                                "client.namenodes=" + namenode.address(),
                                                "storage.capacity=4MiB",
                                                "storage.dir=" + directory.resolve("s")));
                CrailClient client = CrailClient.connect(ClientConfig.of(namenode.address()))) {
            assertThat(client.statistics().classes().get(0).capacity()).isEqualTo(4 * MIB);
            assertThat(client.servers().get(0).endpoints().get(0)).contains(storage.address());
        }
    }

    @Test
    void everyKeyOfTheNamenodeReachesIt() throws Exception {
        NamenodeConfig config =
                NamenodeConfigurations.of(
                        values(
                                "namenode.metadata.dir=/m",
                                "namenode.bind.host=::1",
                                "namenode.bind.port=1",
                                "namenode.durability=sync",
                                "namenode.inline.limit=2KiB",
                                "namenode.inline.memory=3MiB",
                                "namenode.nodes.max=4",
                                "namenode.session.timeout=5s",
                                "namenode.lease.time=6s",
                                "namenode.dead-server.time=7s",
                                "namenode.heartbeat=2s",
                                "namenode.snapshot.log-size=9MiB",
                                "namenode.unlinked.retention=10s",
                                "namenode.placement=local-first",
                                "namenode.permissions=enforce",
                                "namenode.busy-poll=false",
                                "namenode.log.cut-at-corruption=true"));
        assertThat(config.metadataDirectory()).isEqualTo(Path.of("/m"));
        assertThat(config.bindHost()).isEqualTo("::1");
        assertThat(config.bindPort()).isEqualTo(1);
        assertThat(config.durability()).isEqualTo(Durability.SYNC);
        assertThat(config.inlineMemory()).isEqualTo(3 * MIB);
        assertThat(config.cutLogAtCorruption()).isTrue();
        assertThat(config.rpc().busyPoll()).isFalse();
        assertThat(config.engine().inlineLimit()).isEqualTo(2048);
        assertThat(config.engine().maxNodes()).isEqualTo(4);
        assertThat(config.engine().sessionTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.engine().leaseTime()).isEqualTo(Duration.ofSeconds(6));
        assertThat(config.engine().deadServerTime()).isEqualTo(Duration.ofSeconds(7));
        assertThat(config.engine().heartbeat()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.engine().snapshotLogBytes()).isEqualTo(9 * MIB);
        assertThat(config.engine().unlinkedRetention()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.engine().placement()).isEqualTo(PlacementPolicy.LOCAL_FIRST);
        assertThat(config.engine().permissions()).isEqualTo(Permissions.ENFORCE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "process", "sync"})
    void everyLevelOfDurabilityIsKnown(String level) throws CrailException {
        assertThat(NamenodeConfigurations.of(values("namenode.durability=" + level)))
                .extracting(config -> config.durability().name())
                .isEqualTo(level.toUpperCase(java.util.Locale.ROOT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"round-robin", "random", "local-first"})
    void everyPlacementIsKnown(String policy) throws CrailException {
        assertThat(NamenodeConfigurations.of(values("namenode.placement=" + policy))).isNotNull();
    }

    @Test
    void everyKeyOfAStorageServerReachesIt() throws Exception {
        StorageConfig config =
                StorageConfigurations.of(
                        values(
                                "client.namenodes=a:1,b:2",
                                "storage.tier=x",
                                "storage.dir=/d",
                                "storage.capacity=8MiB",
                                "storage.segment.size=4MiB",
                                "storage.class=3",
                                "storage.location=rack",
                                "storage.bind.host=0.0.0.0",
                                "storage.bind.port=4",
                                "storage.advertise.hosts=h1, h2",
                                "storage.host-name=me",
                                "storage.transport=nio",
                                "storage.threads=5",
                                "storage.busy-poll=false",
                                "storage.remove-on-exit=true",
                                "storage.format=true"));
        assertThat(config.namenodes()).extracting(Object::toString).containsExactly("a:1", "b:2");
        assertThat(config.tier()).isEqualTo("x");
        assertThat(config.directory()).isEqualTo(Path.of("/d"));
        assertThat(config.capacity()).isEqualTo(8 * MIB);
        assertThat(config.segmentSize()).isEqualTo(4 * MIB);
        assertThat(config.storageClass()).isEqualTo(3);
        assertThat(config.locationClass()).isEqualTo("rack");
        assertThat(config.bindHost()).isEqualTo("0.0.0.0");
        assertThat(config.bindPort()).isEqualTo(4);
        assertThat(config.advertisedHosts()).containsExactly("h1", "h2");
        assertThat(config.hostName()).isEqualTo("me");
        assertThat(config.tierOptions()).containsEntry("transport", "nio");
        assertThat(config.tierOptions()).containsEntry("threads", "5");
        assertThat(config.tierOptions()).containsEntry("busy_poll", "off");
        assertThat(config.removeOnExit()).isTrue();
        assertThat(config.format()).isTrue();
    }

    @Test
    void aStorageServerWithoutNamenodeIsRefused() {
        assertThatThrownBy(() -> StorageConfigurations.of(values("client.namenodes=")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("client.namenodes");
    }

    @Test
    void aBusyPortIsAnErrorThatNamesIt(@TempDir Path directory) throws Exception {
        ServerLauncher launcher = launcher("namenode");
        try (RunningServer first =
                launcher.start(
                        values(
                                "namenode.bind.port=0",
                                "namenode.metadata.dir=" + directory.resolve("1")))) {
            String port = first.address().substring(first.address().indexOf(':') + 1);
            Configuration same =
                    values(
                            "namenode.bind.port=" + port,
                            "namenode.metadata.dir=" + directory.resolve("2"));
            assertThatThrownBy(() -> launcher.start(same))
                    .isInstanceOf(CrailException.class)
                    .hasMessageContaining(port);
        }
    }

    @Property
    void segmentsUseNearlyAllCapacity(
            @ForAll @LongRange(min = MIB, max = 1L << 40) long capacity,
            @ForAll @LongRange(min = 1, max = 1024) long largestMib) {
        long largest = largestMib * MIB;
        long segment = SegmentLayout.segmentSize(capacity, largest);
        assertThat(segment).isBetween(MIB, largest);
        assertThat(segment % MIB).isZero();
        long segments = capacity / segment;
        assertThat(capacity - segments * segment).isLessThan(Math.max(segment, segments * MIB));
        assertThat(segments).isPositive();
    }
}
