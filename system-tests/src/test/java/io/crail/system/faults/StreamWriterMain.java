// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.client.CrailStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Appends numbered records to a stream until it is told to stop, and a last one that says how many
 * there were. Says so whenever a thousand more are acknowledged.
 */
final class StreamWriterMain {
    static final int RECORDS = 10_000;
    static final String STOP = "/stop";

    /** Number of the record that ends a writer's records. */
    static final int END = -1;

    private static final int MOST = 60_000;
    private static final int BURST = 40;

    private StreamWriterMain() {}

    /** The record of a writer: who, which, and bytes that follow from both. */
    static ByteBuffer record(int writer, int number) {
        Random random = new Random(31L * writer + number);
        int size =
                switch (random.nextInt(400)) {
                    case 0 -> random.nextInt(300 << 10);
                    case 1, 2, 3 -> random.nextInt(20 << 10);
                    default -> random.nextInt(200);
                };
        byte[] rest = new byte[size];
        random.nextBytes(rest);
        return ByteBuffer.allocate(8 + size).putInt(writer).putInt(number).put(rest).flip();
    }

    static ByteBuffer end(int writer, int count) {
        return ByteBuffer.allocate(12).putInt(writer).putInt(END).putInt(count).flip();
    }

    public static void main(String[] args) throws IOException {
        int writer = Integer.parseInt(args[2]);
        ClientConfig config =
                ClientConfig.builder()
                        .namenodes(List.of(args[0]))
                        .clientName("writer" + writer)
                        .deadline(Duration.ofSeconds(30))
                        .build();
        try (CrailClient client = CrailClient.connect(config);
                CrailStream stream = client.stream(args[1])) {
            int count = 0;
            while (count < RECORDS || (count < MOST && client.lookup(STOP).isEmpty())) {
                for (int thousand = count + 1000; count < thousand; ) {
                    List<CrailFuture<Long>> burst = new ArrayList<>();
                    for (int i = 0; i < BURST; i++) {
                        burst.add(stream.appendAsync(record(writer, count++)));
                    }
                    burst.forEach(CrailFuture::join);
                }
                System.out.println("acknowledged " + count);
            }
            stream.append(end(writer, count));
        }
    }
}
