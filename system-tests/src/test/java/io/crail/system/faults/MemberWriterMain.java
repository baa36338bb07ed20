// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailMultiFile;
import io.crail.client.CrailOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Adds members to a multifile from several threads. What is in a member follows from its name, so
 * that a reader can check it.
 *
 * <p>Arguments: namenode, path, name of this process, threads, members of each thread, {@code stay}
 * to begin one member more and wait to be killed.
 */
final class MemberWriterMain {
    static final int MAX_LENGTH = 400_000;
    static final int BEGUN = 300_000;

    private MemberWriterMain() {}

    /** The bytes of a member: mostly small, some of several blocks. */
    static byte[] content(String name) {
        Random random = new Random(name.hashCode());
        int limit = random.nextInt(10) == 0 ? MAX_LENGTH : 20_000;
        return Payload.random(name.hashCode(), random.nextInt(limit));
    }

    public static void main(String[] args) throws Exception {
        CrailClient client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(args[0]))
                                .clientName("member-writer-" + args[2])
                                .build());
        CrailMultiFile multi = client.multiFile(args[1]);
        int threads = Integer.parseInt(args[3]);
        int members = Integer.parseInt(args[4]);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        List<Future<?>> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            String prefix = args[2] + "-" + t + "-";
            running.add(executor.submit(writing(multi, prefix, members)));
        }
        for (Future<?> each : running) {
            each.get(60, TimeUnit.SECONDS);
        }
        executor.shutdown();
        if (args.length > 5) {
            CrailOutputStream out = multi.add(args[2] + "-begun");
            out.write(Payload.random(1, BEGUN));
            out.sync();
            out.write(Payload.random(2, BEGUN));
            out.flush();
            System.out.println("writing");
            while (System.in.read() >= 0) {
                // Until killed, or until the test has gone.
            }
        }
        client.close();
    }

    private static Callable<Void> writing(CrailMultiFile multi, String prefix, int members) {
        return () -> {
            for (int i = 0; i < members; i++) {
                write(multi, prefix + i);
            }
            return null;
        };
    }

    private static void write(CrailMultiFile multi, String name) throws IOException {
        try (CrailOutputStream out = multi.add(name)) {
            out.write(content(name));
        }
    }
}
