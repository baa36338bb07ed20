// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.ClientStatistics;
import io.crail.client.CrailClient;
import java.io.IOException;
import java.util.List;

/** Copies a file within the store and says over which transports. */
final class CopierMain {
    private CopierMain() {}

    public static void main(String[] args) throws IOException {
        try (CrailClient client =
                CrailClient.connect(ClientConfig.builder().namenodes(List.of(args[0])).build())) {
            Payload.write(client, args[2], Payload.read(client, args[1]));
            ClientStatistics statistics = client.clientStatistics();
            System.out.println(
                    "tcp "
                            + statistics.over("tcp").bytesWritten()
                            + " shm "
                            + statistics.over("shm").bytesWritten());
        }
    }
}
