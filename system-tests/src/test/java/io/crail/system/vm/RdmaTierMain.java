// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs in the guest: a whole cluster, whose second storage server offers a namespace of the
 * kernel's target over RDMA, and clients that read and write there. Takes the target away and
 * brings it back by nvmet.sh. Prints a line for each part that went well; the first that does not
 * ends it with a stack trace and status 1.
 */
final class RdmaTierMain {
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final int MIB = 1 << 20;

    private final String host;
    private final String port;
    private final String nqn;

    private RdmaTierMain(String host, String port, String nqn) {
        this.host = host;
        this.port = port;
        this.nqn = nqn;
    }

    /** Arguments: address, port, NQN; namespace 1 is blank. */
    public static void main(String[] arguments) throws Exception {
        RdmaTierMain tests = new RdmaTierMain(arguments[0], arguments[1], arguments[2]);
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().capacity(2 * MIB).segmentSize(2 * MIB).start()) {
            int unused =
                    cluster.addServer(
                            server ->
                                    server.tier("nvmf")
                                            .storageClass(1)
                                            .tierOption("target", tests.target())
                                            .tierOption("nqn", tests.nqn)
                                            .tierOption("namespace", "1"));
            said("a storage server at the target");
            try (CrailClient client = cluster.connect()) {
                client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
                byte[] content = tests.filesAreReadByAnotherClient(cluster, client);
                tests.whatMemoryHasNoRoomForGoesThere(client);
                tests.freedBlocksAreNotGrantedYet(client);
                tests.targetThatGoesIsAnErrorAndItsReturnBringsTheDataBack(cluster, content);
            }
        }
        said("all is closed");
    }

    private String target() {
        return "rdma:" + host + ":" + port;
    }

    private static void said(String what) {
        System.out.println("ok: " + what);
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void write(CrailClient client, String path, byte[] content) throws IOException {
        try (CrailOutputStream out = client.createFile(path, CreateOptions.builder().build())) {
            out.write(content);
        }
    }

    private static byte[] read(CrailClient client, String path) throws IOException {
        try (CrailFile file = client.open(path)) {
            byte[] content = new byte[(int) file.length()];
            file.readFully(0, ByteBuffer.wrap(content));
            return content;
        }
    }

    private void nvmet(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "nvmet.sh";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).inheritIO().start();
        String line = String.join(" ", command);
        check(process.waitFor(60, TimeUnit.SECONDS), line + " does not end");
        check(process.exitValue() == 0, line + " failed");
    }

    private byte[] filesAreReadByAnotherClient(EmbeddedCluster cluster, CrailClient client)
            throws Exception {
        byte[] content = random(1, 6 * MIB + 12_345);
        write(client, "/flash/f", content);
        try (CrailClient other = cluster.connect()) {
            check(Arrays.equals(read(other, "/flash/f"), content), "read something else");
        }
        AuditReport report = client.admin().check(null, looks -> {});
        check(report.findings().isEmpty(), report.findings().toString());
        said("files that another client reads");
        return content;
    }

    private void whatMemoryHasNoRoomForGoesThere(CrailClient client) throws Exception {
        byte[] content = random(2, 5 * MIB + 1);
        write(client, "/large", content);
        check(used(client, 1) > 6 * MIB + 2 * MIB, "nothing of it is at the target");
        check(Arrays.equals(read(client, "/large"), content), "read something else");
        said("a file partly in memory and partly there");
    }

    private void freedBlocksAreNotGrantedYet(CrailClient client) throws Exception {
        client.delete("/large", false);
        long begin = System.nanoTime();
        while (quarantined(client) < 2 * MIB) {
            check(System.nanoTime() - begin < BOUND.toNanos(), "freed blocks do not wait");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        said("freed blocks that wait for the target's clients");
    }

    private static long used(CrailClient client, int storageClass) throws CrailException {
        return client.statistics().servers().stream()
                .filter(each -> each.storageClass() == storageClass)
                .mapToLong(each -> each.capacity() - each.free())
                .sum();
    }

    private static long quarantined(CrailClient client) throws CrailException {
        return client.statistics().servers().stream().mapToLong(each -> each.quarantined()).sum();
    }

    private void targetThatGoesIsAnErrorAndItsReturnBringsTheDataBack(
            EmbeddedCluster cluster, byte[] content) throws Exception {
        try (CrailClient client = cluster.connect()) {
            nvmet("close", "--port", port);
            try {
                byte[] unused = read(client, "/flash/f");
                throw new AssertionError("read from a target that is gone");
            } catch (ServerLostException | BusyException | TimeoutException e) {
                check(e.toString().contains("storage server"), e.toString());
            }
            nvmet("listen", "--transport", "rdma", "--address", host, "--port", port, "--nqn", nqn);
            check(Arrays.equals(readAgain(client, "/flash/f"), content), "read something else");
        }
        said("a target that went and came back");
    }

    private static byte[] readAgain(CrailClient client, String path) throws IOException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return read(client, path);
            } catch (CrailException e) {
                if (System.nanoTime() - begin > BOUND.toNanos()) {
                    throw e;
                }
            }
        }
    }
}
