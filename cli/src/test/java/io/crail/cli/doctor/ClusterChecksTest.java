// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.StorageServer;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found in clusters, and on the ways to them. */
class ClusterChecksTest {
    private static final String OWN = "crail 1.2.3";
    private static final List<String> BOTH = List.of("tcp://node1:4000", "shm:///dev/shm/x/y:0");

    private static Hello.Reply hello(LocalEndpoint local) {
        return new Hello.Reply(1, 0, 0, new UUID(1, 2), 3, 4096, 1, 1, 1, OWN, new byte[0], local);
    }

    private static Statistics.Reply statistics(String namenode, String storage, boolean readOnly) {
        return new Statistics.Reply(
                7,
                1,
                1,
                1,
                1,
                1,
                1,
                1,
                1,
                1,
                1,
                readOnly,
                List.of(),
                List.of(
                        new Statistics.ServerCapacity(
                                4, 2, "h", 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, storage, "")),
                new UUID(1, 2),
                1,
                1,
                1,
                namenode,
                "",
                0);
    }

    private static Cluster cluster(String namenode, String storage) {
        return new Cluster(
                Optional.of(hello(LocalEndpoint.NONE)),
                statistics(namenode, storage, false),
                List.of(),
                "nn:9060");
    }

    @Test
    void aNamenodeThatIsNotThereIsAProblemOnlyIfOneWasExpected() {
        assertThat(Findings.of(new NamenodeCheck("nn:1", true, Optional.empty(), "refused")))
                .singleElement()
                .asString()
                .startsWith("problem: no answer from nn:1: refused");
        assertThat(Findings.of(new NamenodeCheck("nn:1", false, Optional.empty(), "refused")))
                .singleElement()
                .asString()
                .startsWith("ok: no cluster runs at nn:1");
    }

    @Test
    void aReadOnlyNamenodeIsAProblem() {
        Cluster broken =
                new Cluster(Optional.empty(), statistics(OWN, OWN, true), List.of(), "nn:9060");
        assertThat(Findings.of(new NamenodeCheck("nn:1", true, Optional.of(broken), "")).get(0))
                .startsWith("problem")
                .contains("read-only");
        assertThat(
                        Findings.of(
                                        new NamenodeCheck(
                                                "nn:1", true, Optional.of(cluster(OWN, OWN)), ""))
                                .get(0))
                .startsWith("ok: nn:1 answers, epoch 7");
    }

    @ParameterizedTest
    @CsvSource({
        "crail 1.2.3, crail 1.2.3, ok, all are of the version",
        "crail 1.2.2, crail 1.2.3, warning, the namenode is of version 'crail 1.2.2'",
        "crail 1.2.3, crail 1.3.0, warning, storage server 4 is of version 'crail 1.3.0'",
        "'', '', ok, all are"
    })
    void otherVersionsAreTold(String namenode, String storage, String level, String words) {
        assertThat(Findings.of(new VersionCheck(cluster(namenode, storage), OWN)))
                .singleElement()
                .asString()
                .startsWith(level)
                .contains(words);
    }

    private static TransportCheck.Ways ways(boolean tcp, String whyNotShared) {
        return new TransportCheck.Ways() {
            @Override
            public boolean answers(Endpoint at) {
                assertThat(at).isEqualTo(new Endpoint("node1", 4000));
                return tcp;
            }

            @Override
            public Optional<String> whyNotShared(Path directory) {
                assertThat(directory).isEqualTo(Path.of("/dev/shm/x/y"));
                return Optional.of(whyNotShared).filter(why -> !why.isEmpty());
            }
        };
    }

    private static List<String> transports(
            List<String> endpoints,
            ServerState state,
            TransportCheck.Ways ways,
            String... assignments)
            throws IOException {
        StorageServer server = new StorageServer(4, state, "dram", 0, "node1", "", endpoints);
        Cluster cluster =
                new Cluster(
                        Optional.of(hello(LocalEndpoint.NONE)),
                        statistics(OWN, OWN, false),
                        List.of(server),
                        "nn:9060");
        return Findings.of(new TransportCheck(cluster, Findings.values(assignments), ways));
    }

    @Test
    void sharedMemoryIsTakenWhereItCanBe() throws IOException {
        List<String> found = transports(BOTH, ServerState.LIVE, ways(true, ""));
        assertThat(found.get(0))
                .startsWith("ok: namenode: TCP to nn:9060, because the namenode offers this host");
        assertThat(found.get(1)).startsWith("ok").contains("shared memory in /dev/shm/x/y");
    }

    @Test
    void otherwiseTcpIsTakenAndItIsSaidWhy() throws IOException {
        assertThat(transports(BOTH, ServerState.LIVE, ways(true, "another user")).get(1))
                .startsWith("ok")
                .contains("TCP to node1:4000, because another user");
        assertThat(
                        transports(
                                        BOTH,
                                        ServerState.LIVE,
                                        ways(true, ""),
                                        "client.shared-memory=false")
                                .get(1))
                .contains("because client.shared-memory is false");
        assertThat(transports(BOTH.subList(0, 1), ServerState.LIVE, ways(true, "")).get(1))
                .contains("because the server shares no memory");
    }

    @Test
    void aServerOutOfReachIsAProblemAndForOthersAWarning() throws IOException {
        assertThat(transports(BOTH, ServerState.LIVE, ways(false, "another user")).get(1))
                .startsWith("problem")
                .contains("does not answer, and another user", "firewalls");
        assertThat(transports(BOTH, ServerState.LIVE, ways(false, "")).get(1))
                .startsWith("warning");
        assertThat(transports(List.of(), ServerState.LIVE, ways(false, "")).get(1))
                .startsWith("problem")
                .contains("no address");
    }

    @ParameterizedTest
    @CsvSource({"DEAD", "EXPECTED"})
    void aServerThatIsAwayIsTold(ServerState state) throws IOException {
        assertThat(transports(BOTH, state, ways(false, "")).get(1)).startsWith("warning");
    }

    private static String namenode(Optional<Hello.Reply> hello, String route, String... assignments)
            throws IOException {
        Cluster cluster = new Cluster(hello, statistics(OWN, OWN, false), List.of(), route);
        List<String> found =
                Findings.of(
                        new TransportCheck(cluster, Findings.values(assignments), ways(true, "")));
        assertThat(found.get(1)).startsWith("problem: no storage server");
        return found.get(0);
    }

    @Test
    void theWayToTheNamenodeIsExplained() throws IOException {
        assertThat(namenode(Optional.empty(), "/run/rpc.sock")).contains("Unix socket /run/rpc");
        assertThat(namenode(Optional.empty(), "nn:1")).contains("did not say");
        assertThat(namenode(Optional.empty(), "nn:1", "client.unix-socket=false"))
                .contains("client.unix-socket is false");
        LocalEndpoint elsewhere = new LocalEndpoint("/nowhere/at/all", new byte[32]);
        assertThat(namenode(Optional.of(hello(elsewhere)), "nn:1"))
                .contains("cannot be used here", "/nowhere/at/all");
    }
}
