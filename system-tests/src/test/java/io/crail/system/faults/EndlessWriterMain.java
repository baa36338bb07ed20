// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Writes a file without checksums, block after block, until that fails. ADDRESS PATH. */
final class EndlessWriterMain {
    private static final int BLOCK = 1 << 20;

    private EndlessWriterMain() {}

    public static void main(String[] args) throws IOException {
        CrailClient client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(args[0]))
                                .clientName("endless")
                                .build());
        byte[] noise = new byte[BLOCK];
        Arrays.fill(noise, (byte) 0xEE);
        CreateOptions options = CreateOptions.builder().checksums(false).build();
        try {
            for (int i = 0; ; i++) {
                String path = args[1] + i % 4;
                if (i >= 4) {
                    client.delete(path, false);
                }
                try (CrailOutputStream out = client.createFile(path, options)) {
                    for (int piece = 0; piece < 16; piece++) {
                        out.write(noise, piece * BLOCK / 16, BLOCK / 16);
                        out.flush();
                    }
                }
                System.out.println("written");
            }
        } catch (CrailException e) {
            System.out.println("ended: " + e.code());
        }
    }
}
