// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.error.InternalException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Looking up a path of depth 3 that exists. */
final class LookupRow extends LatencyRow {
    private static final String PATH = "/lookup/of/one";

    private LookupRow(String name, Servers.Way way, Target oneCore, @Nullable Target twoCore) {
        super(name, way, oneCore, twoCore);
    }

    static Row overTcp() {
        return new LookupRow(
                "lookup_tcp", Servers.Way.TCP, Target.atMost(1.2), Target.atMost(1.35));
    }

    /** Over the Unix socket that clients on this host use, beside ping-pong over TCP. */
    static Row local() {
        return new LookupRow("lookup_local", Servers.Way.LOCAL, Target.atMost(0.9), null);
    }

    @Override
    Operation prepare(CrailClient client) throws IOException {
        client.mkdir(PATH, CreateOptions.PARENTS);
        return number -> {
            if (client.lookup(PATH).isEmpty()) {
                throw new InternalException("lookup " + PATH + ": it has vanished");
            }
        };
    }
}
