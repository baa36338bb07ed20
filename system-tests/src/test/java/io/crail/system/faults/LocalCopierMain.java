// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import java.io.IOException;
import java.util.List;

/** Copies a file and a value within the store and says over which transports. */
final class LocalCopierMain {
    private LocalCopierMain() {}

    public static void main(String[] args) throws IOException {
        try (CrailClient client =
                CrailClient.connect(ClientConfig.builder().namenodes(List.of(args[0])).build())) {
            Payload.write(client, "/theirs", Payload.read(client, "/mine"));
            CrailTable table = client.table("/table");
            table.put(
                    Payload.text("theirs"), table.get(Payload.text("mine")).orElseThrow().bytes());
            ClientStatistics statistics = client.clientStatistics();
            System.out.println(
                    "tcp "
                            + statistics.over("tcp").bytesWritten()
                            + " shm "
                            + statistics.over("shm").bytesWritten());
        }
    }
}
