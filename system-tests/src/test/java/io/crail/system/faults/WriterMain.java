// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import java.io.IOException;
import java.util.List;

/** Writes and syncs the first part of a file, writes more, says so, and waits to be killed. */
final class WriterMain {
    static final int SYNCED = 1_500_000;
    static final int UNSYNCED = 2_000_000;

    private WriterMain() {}

    public static void main(String[] args) throws IOException {
        CrailClient client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(args[0]))
                                .clientName("writer")
                                .build());
        CrailOutputStream out = client.createFile(args[1]);
        out.write(Payload.random(1, SYNCED));
        out.sync();
        out.write(Payload.random(2, UNSYNCED));
        out.flush();
        System.out.println("writing");
        while (System.in.read() >= 0) {
            // Until killed, or until the test has gone.
        }
    }
}
