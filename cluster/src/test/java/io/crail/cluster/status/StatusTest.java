// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.namenode.NamenodeConfig;
import io.crail.namenode.NamenodeServer;
import io.crail.namenode.status.NamenodeMetrics;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.authentication.SecretFile;
import io.crail.protocol.message.Statistics;
import io.crail.status.BuildInfo;
import io.crail.status.Metric;
import io.crail.status.StatusConfig;
import io.crail.storage.StorageConfig;
import io.crail.storage.StorageServer;
import io.crail.storage.registration.NamenodeAddress;
import io.crail.storage.status.StorageMetrics;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The status of servers over HTTP, as a monitoring system sees it. */
@Timeout(60)
class StatusTest {
    private static final Set<String> LABELS =
            Set.of("type", "code", "state", "tier", "class", "behind", "role", "version", "java");
    private static final String SECRET_NAME = "zebra-crossing";

    @TempDir private Path directory;
    private final HttpClient http = HttpClient.newHttpClient();

    private HttpResponse<String> get(String url, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(20));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private Map<String, Exposition.Family> scrape(String url)
            throws IOException, InterruptedException {
        HttpResponse<String> answer = get(url + "/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                .startsWith("text/plain; version=0.0.4");
        assertThat(answer.body()).doesNotContain(SECRET_NAME);
        return Exposition.parse(answer.body());
    }

    private static double value(
            Map<String, Exposition.Family> families, String name, Map<String, String> labels) {
        return Objects.requireNonNull(families.get(name), name).samples.stream()
                .filter(sample -> sample.labels().equals(labels))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + labels + " is missing"))
                .value();
    }

    /** Of a histogram: all that was timed of a type. */
    private static double count(Map<String, Exposition.Family> families, String name, String type) {
        return Objects.requireNonNull(families.get(name), name).samples.stream()
                .filter(sample -> sample.name().equals(name + "_count"))
                .filter(sample -> sample.labels().equals(Map.of("type", type)))
                .mapToDouble(Exposition.Sample::value)
                .sum();
    }

    private NamenodeServer namenode(StatusConfig status, AuthenticationConfig authentication)
            throws IOException {
        return NamenodeServer.start(
                NamenodeConfig.builder(directory.resolve("metadata"))
                        .inlineMemory(16 << 20)
                        .authentication(authentication)
                        .status(status)
                        .build());
    }

    private StorageServer storage(NamenodeServer namenode) throws IOException {
        StorageServer storage =
                StorageServer.start(
                        StorageConfig.builder(
                                        new NamenodeAddress(
                                                namenode.address().getAddress().getHostAddress(),
                                                namenode.address().getPort()))
                                .capacity(8 << 20)
                                .segmentSize(8 << 20)
                                .directory(directory.resolve("storage"))
                                .tierOption("shared_memory", "off")
                                .status(StatusConfig.LOOPBACK)
                                .build());
        storage.awaitFilled(Duration.ofSeconds(30));
        return storage;
    }

    @Test
    void whatAClientDidShowsInWellFormedMetrics() throws IOException, InterruptedException {
        try (NamenodeServer namenode =
                        namenode(StatusConfig.LOOPBACK, AuthenticationConfig.DEFAULT);
                StorageServer storage = storage(namenode)) {
            putAndGet(namenode);
            Map<String, Exposition.Family> seen = scrape(namenode.statusUrl().orElseThrow());
            check(seen, NamenodeMetrics.ALL);
            assertThat(value(seen, "crail_namenode_requests_total", Map.of("type", "put")))
                    .isGreaterThanOrEqualTo(1);
            assertThat(
                            value(
                                    seen,
                                    "crail_namenode_request_errors_total",
                                    Map.of("code", "no_such_node")))
                    .isGreaterThanOrEqualTo(1);
            assertThat(
                            value(
                                    seen,
                                    "crail_namenode_block_bytes",
                                    Map.of("tier", "dram", "class", "0", "state", "committed")))
                    .isGreaterThanOrEqualTo(1 << 20);
            assertThat(value(seen, "crail_namenode_received_bytes_total", Map.of()))
                    .isGreaterThan(100);
            assertThat(value(seen, "crail_namenode_sent_bytes_total", Map.of())).isGreaterThan(100);
            assertThat(value(seen, "crail_namenode_accepted_connections_total", Map.of()))
                    .isGreaterThan(1); // The storage server's, and those of a client that has gone.
            assertThat(value(seen, "crail_namenode_connections", Map.of()))
                    .isBetween(
                            1.0,
                            value(seen, "crail_namenode_accepted_connections_total", Map.of()));
            assertThat(value(seen, "crail_namenode_storage_servers", Map.of("state", "live")))
                    .isEqualTo(1);
            Map<String, Exposition.Family> stored = scrape(storage.statusUrl().orElseThrow());
            check(stored, StorageMetrics.ALL);
            assertThat(value(stored, "crail_storage_written_bytes_total", Map.of()))
                    .isGreaterThanOrEqualTo(1 << 20);
            assertThat(value(stored, "crail_storage_requests_total", Map.of("type", "write")))
                    .isGreaterThanOrEqualTo(1);
            assertThat(count(stored, "crail_storage_request_duration_seconds", "write"))
                    .isGreaterThanOrEqualTo(1);
            assertThat(count(seen, "crail_namenode_request_duration_seconds", "put")).isEqualTo(1);
            assertThat(value(stored, "crail_storage_registered", Map.of())).isEqualTo(1);
        }
    }

    @Test
    void clientsAreToldWhereAllServersShowTheirStatus() throws IOException {
        try (NamenodeServer namenode =
                        namenode(StatusConfig.LOOPBACK, AuthenticationConfig.DEFAULT);
                StorageServer storage = storage(namenode);
                CrailClient client = connect(namenode)) {
            Statistics.Reply told = client.statistics();
            assertThat(told.statusUrl()).isEqualTo(namenode.statusUrl().orElseThrow());
            assertThat(told.cluster()).isEqualTo(namenode.cluster());
            assertThat(told.servers().get(0).statusUrl())
                    .isEqualTo(storage.statusUrl().orElseThrow());
            assertThat(told.servers().get(0).software()).isEqualTo(told.software());
        }
    }

    @Test
    void slowSendersToTheStatusDoNotDisturbTheService() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try (NamenodeServer namenode =
                namenode(StatusConfig.LOOPBACK, AuthenticationConfig.DEFAULT)) {
            URI status = URI.create(namenode.statusUrl().orElseThrow());
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket(status.getHost(), status.getPort());
                slow.add(socket);
                if (i % 2 == 0) {
                    socket.getOutputStream().write('G');
                }
            }
            try (CrailClient client = connect(namenode)) {
                for (int i = 0; i < 100; i++) {
                    client.mkdir("/d" + i);
                }
                assertThat(client.lookup("/d99")).isPresent();
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static CrailClient connect(NamenodeServer namenode) throws IOException {
        String at =
                namenode.address().getAddress().getHostAddress()
                        + ":"
                        + namenode.address().getPort();
        return CrailClient.connect(ClientConfig.builder().namenodes(List.of(at)).build());
    }

    private static void putAndGet(NamenodeServer namenode) throws IOException {
        try (CrailClient client = connect(namenode)) {
            client.createTable("/" + SECRET_NAME)
                    .put(SECRET_NAME.getBytes(StandardCharsets.UTF_8), new byte[1 << 20]);
            assertThatThrownBy(() -> client.status("/nowhere-" + SECRET_NAME))
                    .isInstanceOf(NoSuchNodeException.class);
            assertThatThrownBy(() -> client.open("/nowhere-" + SECRET_NAME))
                    .isInstanceOf(NoSuchNodeException.class);
        }
    }

    /** Every name is known, of the documented kind, and has the documented labels only. */
    private static void check(Map<String, Exposition.Family> seen, List<Metric> known) {
        for (Exposition.Family family : seen.values()) {
            List<Metric> all = new ArrayList<>(known);
            all.add(BuildInfo.METRIC);
            Metric metric =
                    all.stream()
                            .filter(one -> one.name().equals(family.name))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError(family.name + " is not known"));
            assertThat(family.type).isEqualTo(metric.kind().name().toLowerCase(Locale.ROOT));
            assertThat(LABELS).containsAll(metric.labels());
            for (Exposition.Sample sample : family.samples) {
                assertThat(sample.labels().keySet().stream().filter(label -> !label.equals("le")))
                        .containsExactlyInAnyOrderElementsOf(metric.labels());
            }
        }
        assertThat(seen).containsKey("crail_build_info");
    }

    @Test
    void theSameIsThereAsJsonAndNothingElseIsAnswered() throws IOException, InterruptedException {
        try (NamenodeServer namenode =
                namenode(StatusConfig.LOOPBACK, AuthenticationConfig.DEFAULT)) {
            String url = namenode.statusUrl().orElseThrow();
            assertThat(get(url + "/status").body())
                    .startsWith("{\"role\":\"namenode\",\"version\":")
                    .contains("\"crail_namenode_sessions\":[{\"value\":0}]")
                    .endsWith("}}\n");
            assertThat(get(url + "/health").body()).isEqualTo("ok\n");
            assertThat(get(url + "/etc/passwd").statusCode()).isEqualTo(404);
            HttpRequest post =
                    HttpRequest.newBuilder(URI.create(url + "/metrics"))
                            .POST(HttpRequest.BodyPublishers.ofString("x"))
                            .build();
            assertThat(http.send(post, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(405);
        }
    }

    @Test
    void otherAddressesThanLoopbackNeedTheToken() throws IOException, InterruptedException {
        Path secret = directory.resolve("secret");
        SecretFile.create(secret, new SecureRandom());
        AuthenticationConfig required = AuthenticationConfig.required(secret);
        try (NamenodeServer namenode = namenode(new StatusConfig(true, "0.0.0.0", 0), required)) {
            String url = namenode.statusUrl().orElseThrow().replace("0.0.0.0", "127.0.0.1");
            String token = required.forCaller().statusToken().orElseThrow();
            assertThat(get(url + "/metrics").statusCode()).isEqualTo(401);
            assertThat(get(url + "/metrics", "Authorization", "Bearer x").statusCode())
                    .isEqualTo(401);
            assertThat(get(url + "/metrics", "Authorization", token).statusCode()).isEqualTo(401);
            assertThat(get(url + "/metrics", "Authorization", "Bearer " + token).statusCode())
                    .isEqualTo(200);
            assertThat(Files.readString(secret)).doesNotContain(token);
        }
    }

    @Test
    void withoutASecretAnotherAddressThanLoopbackIsRefused() throws IOException {
        assertThatThrownBy(
                        () ->
                                namenode(
                                        new StatusConfig(true, "0.0.0.0", 0),
                                        AuthenticationConfig.DEFAULT))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("secret");
        // Nothing is left of it: the directory can be used at once.
        try (NamenodeServer namenode = namenode(StatusConfig.OFF, AuthenticationConfig.DEFAULT)) {
            assertThat(namenode.statusUrl()).isEmpty();
        }
    }

    @Test
    void operatorsFindEveryMetricInTheManual() throws IOException {
        List<Metric> all = new ArrayList<>();
        all.add(BuildInfo.METRIC);
        all.addAll(NamenodeMetrics.ALL);
        all.addAll(StorageMetrics.ALL);
        StringBuilder table =
                new StringBuilder("| metric | kind | labels | meaning |\n|---|---|---|---|\n");
        for (Metric metric : all) {
            table.append("| `")
                    .append(metric.name())
                    .append("` | ")
                    .append(metric.kind().name().toLowerCase(Locale.ROOT))
                    .append(" | ")
                    .append(String.join(", ", metric.labels()))
                    .append(" | ")
                    .append(metric.help())
                    .append(" |\n");
        }
        Path manual = Path.of(System.getProperty("crail.home", ".."), "docs/operations.md");
        assertThat(Files.readString(manual)).contains(table);
    }
}
