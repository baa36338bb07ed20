// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.MemoryCopy;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Getting values of a table into a buffer. */
final class GetRow extends LatencyRow {
    private final Values values;

    private GetRow(String name, Servers.Way way, Values values, Target one, Target two) {
        super(name, way, one, two);
        this.values = values;
    }

    static Row small() {
        return new GetRow(
                "get100_tcp",
                Servers.Way.TCP,
                Values.SMALL,
                Target.atMost(1.3),
                Target.atMost(1.4));
    }

    /** The limit copies the value once and takes its checksum once. */
    static Row large() {
        return new GetRow(
                "get100k_local",
                Servers.Way.LOCAL,
                Values.LARGE,
                Target.atMost(1.15),
                Target.atMost(1.15));
    }

    @Override
    String further() {
        return values.further();
    }

    @Override
    double furtherNanos(Stage stage) {
        return values.copyNanos(stage, MemoryCopy::read);
    }

    @Override
    Operation prepare(CrailClient client) throws IOException {
        CrailTable table = values.table(client);
        ByteBuffer value = ByteBuffer.allocateDirect(values.length());
        return number -> {
            long length = table.getInto(values.key(number), value.clear());
            if (length != values.length()) {
                throw new InternalException(
                        "get from " + table.path() + ": a value has " + length + " bytes");
            }
        };
    }
}
