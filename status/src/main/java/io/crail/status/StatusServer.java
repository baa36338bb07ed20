// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.authentication.Party;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The status of a server over HTTP: {@code /metrics} for Prometheus, {@code /status} as JSON,
 * {@code /health}, which is 200 or 503.
 *
 * <p><b>Threads and bounds.</b> The server of the JDK takes a thread from the first byte of a
 * request to the last one of its answer, so a client that sends slowly holds one. Hence there are
 * as many (daemon) threads as connections, {@value #CONNECTIONS}, made when needed: a slow client
 * keeps nobody else waiting. A connection on top is closed at once. A request may take {@value
 * #REQUEST_SECONDS} seconds to arrive, and an answer {@value #ANSWER_SECONDS} to leave; then the
 * connection is closed, so whoever takes all of them has them for a short time only. No more than
 * {@value #ANSWERS} answers are made at a time, whatever comes: the server's own work goes first.
 * The JDK reads its limits from system properties, once in the life of a process; they are set here
 * unless somebody has set them before.
 *
 * <p><b>Who may enter.</b> On loopback everybody; on any other address whoever shows the token that
 * is derived from the cluster's secret, which itself never crosses the network; nobody has to if
 * authentication is off. The token is compared in constant time.
 */
public final class StatusServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);
    private static final int CONNECTIONS = 64;
    private static final int ANSWERS = 2;
    private static final int BACKLOG = 16;
    private static final int REQUEST_SECONDS = 3;
    private static final int ANSWER_SECONDS = 10;
    private static final int PATIENCE_SECONDS = 5;
    private static final String BEARER = "Bearer ";

    static {
        limit("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        limit("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
        limit("sun.net.httpserver.maxReqHeaders", 64);
        limit("sun.net.httpserver.maxReqHeaderSize", 16 << 10);
        limit("jdk.httpserver.maxConnections", CONNECTIONS);
    }

    private final HttpServer http;
    private final ThreadPoolExecutor threads;
    private final StatusSource source;
    private final String version;
    private final Semaphore answers = new Semaphore(ANSWERS, true);
    private final byte @Nullable [] token;

    private StatusServer(HttpServer http, StatusSource source, byte @Nullable [] token) {
        this.http = http;
        this.source = source;
        this.version = BuildInfo.version();
        this.token = token;
        this.threads =
                new ThreadPoolExecutor(
                        0,
                        CONNECTIONS,
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        StatusServer::thread,
                        new ThreadPoolExecutor.DiscardPolicy());
    }

    private static void limit(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "crail-status");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts to answer, if the configuration says so.
     *
     * @throws InvalidArgumentException if the address cannot be listened on, or others can reach it
     *     and there is no secret
     */
    public static Optional<StatusServer> start(
            StatusConfig config,
            AuthenticationConfig authentication,
            Party party,
            StatusSource source)
            throws CrailException {
        if (!config.enabled()) {
            return Optional.empty();
        }
        Optional<String> token = authentication.forServer(party, config.bindHost()).statusToken();
        InetSocketAddress address = new InetSocketAddress(config.bindHost(), config.bindPort());
        try {
            HttpServer http = HttpServer.create(address, BACKLOG);
            boolean loopback = http.getAddress().getAddress().isLoopbackAddress();
            StatusServer server =
                    new StatusServer(http, source, loopback ? null : bytes(token.orElse(null)));
            http.setExecutor(server.threads);
            http.createContext("/", server::handle);
            http.start();
            LOG.info("status of the {} at {}", source.role(), server.url());
            return Optional.of(server);
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "cannot show the status of the "
                            + source.role()
                            + " on "
                            + config.bindHost()
                            + ":"
                            + config.bindPort()
                            + " ("
                            + e.getMessage()
                            + "); set "
                            + source.role()
                            + ".status.bind.host and .port, or "
                            + source.role()
                            + ".status.enabled = false",
                    e);
        }
    }

    private static byte @Nullable [] bytes(@Nullable String token) {
        return token == null ? null : token.getBytes(StandardCharsets.US_ASCII);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return http.getAddress();
    }

    /** {@code http://HOST:PORT}, with the host's literal address. */
    public String url() {
        return url(address().getAddress().getHostAddress());
    }

    /**
     * As {@link #url()}, for others to follow.
     *
     * @param name how others reach this host, for a server that listens on all its addresses
     */
    public String urlFor(String name) {
        return address().getAddress().isAnyLocalAddress() ? url(name) : url();
    }

    private String url(String host) {
        return "http://"
                + (host.indexOf(':') < 0 ? host : "[" + host + "]")
                + ":"
                + address().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answerInTurn(exchange);
            byte[] body = answer.body();
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            if (answer.code() == 401) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            }
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.code(), head ? -1 : body.length);
            if (!head) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        } catch (RuntimeException e) {
            LOG.warn("answering a request for the status failed", e);
        }
    }

    private record Answer(int code, String type, byte[] body) {
        static Answer text(int code, String words) {
            return new Answer(
                    code,
                    "text/plain; charset=utf-8",
                    (words + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Only making an answer takes a turn; neither reading the request nor sending the answer. */
    private Answer answerInTurn(HttpExchange exchange) {
        try {
            if (!answers.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return Answer.text(503, "too many requests for the status");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Answer.text(503, "the server ends");
        }
        try {
            return answer(exchange);
        } finally {
            answers.release();
        }
    }

    private Answer answer(HttpExchange exchange) {
        if (!mayEnter(exchange.getRequestHeaders().getFirst("Authorization"))) {
            return Answer.text(401, "the status token of the cluster is needed");
        }
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.text(405, "only GET and HEAD");
        }
        try {
            return switch (exchange.getRequestURI().getPath()) {
                case "/metrics" ->
                        new Answer(200, PrometheusTextFormatWriter.CONTENT_TYPE, scrape().text());
                case "/status" ->
                        new Answer(
                                200,
                                "application/json",
                                scrape().json(source.role(), version)
                                        .getBytes(StandardCharsets.UTF_8));
                case "/health" ->
                        source.problem()
                                .map(problem -> Answer.text(503, problem))
                                .orElseGet(() -> Answer.text(200, "ok"));
                default -> Answer.text(404, "there are /metrics, /status and /health");
            };
        } catch (CrailException e) {
            return Answer.text(503, String.valueOf(e.getMessage()));
        }
    }

    private Scrape scrape() throws CrailException {
        Scrape scrape = new Scrape();
        scrape.value(BuildInfo.METRIC, 1L, source.role(), version, BuildInfo.java());
        source.collect(scrape);
        return scrape;
    }

    private boolean mayEnter(@Nullable String authorization) {
        if (token == null) {
            return true;
        }
        return authorization != null
                && authorization.startsWith(BEARER)
                && MessageDigest.isEqual(
                        token,
                        authorization.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8));
    }

    /** Stops answering; requests under way are cut off. */
    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
