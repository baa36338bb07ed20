// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.docs;

import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A cluster for the snippets of a class, empty before each of them. */
abstract class GuideCluster {
    static EmbeddedCluster cluster;
    static CrailClient client;

    @BeforeAll
    static void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(2).start();
        client = cluster.connect();
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void clean() throws CrailException {
        CrailIterator<DirectoryEntry> entries = client.list("/");
        while (entries.hasNext()) {
            client.delete("/" + entries.next().name(), true);
        }
    }
}
