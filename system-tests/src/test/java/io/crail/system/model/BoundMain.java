// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Makes a directory bound to its session, with a file below, and waits to be killed.
 *
 * <p>Arguments: namenode, path, session timeout in milliseconds, seed of the content.
 */
final class BoundMain {
    private static final int SIZE = 5000;

    private BoundMain() {}

    static byte[] content(long seed) {
        byte[] bytes = new byte[SIZE];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    public static void main(String[] args) throws Exception {
        CrailClient client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(args[0]))
                                .clientName("bound")
                                .sessionTimeout(Duration.ofMillis(Long.parseLong(args[2])))
                                .build());
        client.mkdir(args[1], CreateOptions.builder().sessionBound(true).build());
        try (CrailOutputStream out = client.createFile(args[1] + "/child")) {
            out.write(content(Long.parseLong(args[3])));
        }
        System.out.println("bound");
        while (System.in.read() >= 0) {
            // Until killed, or until the test has gone.
        }
        client.close();
    }
}
