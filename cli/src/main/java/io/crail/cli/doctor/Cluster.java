// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.client.StorageServer;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Statistics;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that answers.
 *
 * @param hello what its namenode says to strangers; empty if it refuses them
 * @param statistics what it says of itself
 * @param servers its storage servers
 * @param route where calls to the namenode go: {@code host:port}, or the path of a Unix socket
 */
record Cluster(
        Optional<Hello.Reply> hello,
        Statistics.Reply statistics,
        List<StorageServer> servers,
        String route) {}
