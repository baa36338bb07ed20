// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.client.CrailClient;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An embedded cluster for all tests of a class, each of which works in a directory of its own. */
public final class ClusterFixture implements BeforeAllCallback, AfterAllCallback {
    private static final int SEGMENT = 32 << 20;

    private final AtomicInteger directories = new AtomicInteger();
    private @Nullable EmbeddedCluster cluster;

    @Override
    public void beforeAll(ExtensionContext context) throws CrailException {
        cluster =
                EmbeddedCluster.builder().servers(2).capacity(SEGMENT).segmentSize(SEGMENT).start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        cluster().close();
    }

    private EmbeddedCluster cluster() {
        return Objects.requireNonNull(cluster, "not started");
    }

    /** A client that lives as long as the cluster. */
    public CrailClient client() throws CrailException {
        return cluster().client();
    }

    /** Where its namenode listens. */
    public String namenode() {
        return cluster().namenode();
    }

    /** A new directory, empty. */
    public String directory() throws CrailException {
        String path = "/test-" + directories.incrementAndGet();
        try (CrailClient client = cluster().connect()) {
            client.mkdir(path);
        }
        return path;
    }

    /** Runs a command against the cluster. */
    public Run run(String... arguments) {
        return runWithInput(new byte[0], arguments);
    }

    /** Runs a command that reads standard input against the cluster. */
    public Run runWithInput(byte[] input, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--namenode=" + cluster().namenode());
        return Run.withInput(input, all.toArray(new String[0]));
    }
}
