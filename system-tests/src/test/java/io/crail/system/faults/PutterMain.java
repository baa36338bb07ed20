// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import java.io.IOException;
import java.util.List;

/** Puts values under its own keys and ends without closing its client. */
final class PutterMain {
    static final int VALUES = 200;

    private PutterMain() {}

    public static void main(String[] args) throws IOException {
        CrailClient client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(args[0]))
                                .clientName(args[1])
                                .build());
        CrailTable table = client.table("/t");
        for (int i = 0; i < VALUES; i++) {
            table.put(Payload.text(args[1] + "-" + i), Payload.random(i, 5000));
        }
        System.exit(0);
    }
}
