// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.probe;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fetches pages of the status of servers. Thread-safe. Each fetch ends within its patience, however
 * slowly the other side speaks, and takes a bounded amount of memory. The token of the cluster, if
 * there is one, is shown to whoever is asked: it opens metrics and nothing else.
 */
public final class StatusPage {
    /** Far more than a server with all its metrics says. */
    private static final int MAX_BYTES = 4 << 20;

    private final HttpClient http;
    private final Executor executor;
    private final Optional<String> token;

    /**
     * @param token of the cluster, for servers that are not on loopback
     * @param executor runs what the fetches need; a few threads
     * @param patience for a connection
     */
    public StatusPage(Optional<String> token, Executor executor, Duration patience) {
        this.token = token;
        this.executor = executor;
        this.http =
                HttpClient.newBuilder()
                        .executor(executor)
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(patience)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
    }

    /**
     * The page at a path such as {@code /metrics}; completes exceptionally with {@link
     * CrailException}.
     */
    public CompletableFuture<String> fetch(String url, String path, Duration patience) {
        HttpRequest request;
        try {
            HttpRequest.Builder builder =
                    HttpRequest.newBuilder(URI.create(url + path)).timeout(patience);
            token.ifPresent(shown -> builder.header("Authorization", "Bearer " + shown));
            request = builder.build();
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(
                    new InvalidArgumentException(
                            "'" + url + "' is no address of a status page", e));
        }
        // Not in this thread: finding the host's address may take long.
        CompletableFuture<HttpResponse<String>> answer =
                CompletableFuture.completedFuture(request)
                        .thenComposeAsync(
                                asked -> http.sendAsync(asked, any -> new Limited()), executor);
        // The time limit of the request ends with the headers; this one is for all of it.
        CompletableFuture<HttpResponse<String>> bounded =
                answer.copy().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        return bounded.handle(
                (response, failure) -> {
                    if (failure != null) {
                        answer.cancel(true);
                        throw new CompletionException(told(url, failure));
                    }
                    if (response.statusCode() != 200) {
                        throw new CompletionException(refused(url, response));
                    }
                    return response.body();
                });
    }

    private static CrailException refused(String url, HttpResponse<String> response) {
        return response.statusCode() == 401
                ? new AccessDeniedException(
                        url + " wants the token of the cluster; set security.secret-file")
                : new ProtocolException(
                        url + " answers " + response.statusCode() + ", is it a server of crail?");
    }

    private static CrailException told(String url, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        if (cause instanceof CrailException known) {
            return known;
        }
        if (cause instanceof java.util.concurrent.TimeoutException
                || cause instanceof HttpTimeoutException) {
            return new TimeoutException(url + " does not answer in time", cause);
        }
        return new ServerLostException(url + " cannot be reached: " + cause, cause);
    }

    /** Takes a body of a bounded size. */
    private static final class Limited implements HttpResponse.BodySubscriber<String> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final CompletableFuture<String> body = new CompletableFuture<>();
        private Flow.@Nullable Subscription source;

        @Override
        public CompletionStage<String> getBody() {
            return body;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            source = subscription;
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(List<ByteBuffer> parts) {
            for (ByteBuffer part : parts) {
                if (bytes.size() + part.remaining() > MAX_BYTES) {
                    Flow.Subscription ended = source;
                    if (ended != null) {
                        ended.cancel();
                    }
                    body.completeExceptionally(
                            new ProtocolException("a page of more than " + MAX_BYTES + " bytes"));
                    return;
                }
                byte[] copy = new byte[part.remaining()];
                part.get(copy);
                bytes.write(copy, 0, copy.length);
            }
        }

        @Override
        public void onError(Throwable failure) {
            body.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            body.complete(bytes.toString(StandardCharsets.UTF_8));
        }
    }
}
