// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.MemoryCopy;
import io.crail.bench.stage.Label.Target;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Putting values into a table, each in place of an earlier one; logged as shipped. */
final class PutRow extends LatencyRow {
    private final Values values;

    private PutRow(String name, Servers.Way way, Values values, Target one, Target two) {
        super(name, way, one, two);
        this.values = values;
    }

    static Row small() {
        return new PutRow(
                "put100_tcp",
                Servers.Way.TCP,
                Values.SMALL,
                Target.atMost(1.4),
                Target.atMost(1.6));
    }

    /** The limit takes the checksum of the value once and copies it once. */
    static Row large() {
        return new PutRow(
                "put100k_local",
                Servers.Way.LOCAL,
                Values.LARGE,
                Target.atMost(1.25),
                Target.atMost(1.25));
    }

    @Override
    String further() {
        return values.further();
    }

    @Override
    double furtherNanos(Stage stage) {
        return values.copyNanos(stage, MemoryCopy::write);
    }

    @Override
    Operation prepare(CrailClient client) throws IOException {
        CrailTable table = values.table(client);
        ByteBuffer value = ByteBuffer.allocateDirect(values.length());
        return number -> table.put(values.key(number), value);
    }
}
