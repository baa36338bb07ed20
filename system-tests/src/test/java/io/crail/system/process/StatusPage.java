// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What a server of a {@link ProcessCluster} tells Prometheus. */
public final class StatusPage {
    private final int port;

    /**
     * The page of one server.
     *
     * @param port to which the server's status is bound, on loopback
     */
    public StatusPage(int port) {
        this.port = port;
    }

    /** The value of a metric without labels, now. */
    public long value(String metric) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                        .timeout(Duration.ofSeconds(30))
                        .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> line.startsWith(metric + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(metric.length())))
                    .findFirst()
                    .orElseThrow();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
