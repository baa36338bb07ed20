// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.Main;
import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.error.LeaseLostException;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A storage server is drained by force by one process while others write a file on it, put values
 * and hold a view; then it is killed.
 */
@Tag("faults")
@Timeout(120)
final class ForcedDrainTest {
    private static final int SYNCED = 1_500_000;
    private static final int UNSYNCED = 700_000;
    private static final int VALUE = 100_000;
    private static final String FILE = "/f";
    private static final String TABLE = "/t";
    private static final byte[] VIEWED = key(-1);

    private static byte[] key(int number) {
        return ("k" + number).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void everyProcessKeepsWhatItWasPromised() throws IOException {
        try (ProcessCluster cluster = ProcessCluster.builder().servers(2).start();
                CrailClient operator = cluster.client()) {
            CrailTable table = operator.createTable(TABLE);
            int doomed = operator.statistics().servers().get(0).id();
            int refuge = operator.statistics().servers().get(1).id();
            operator.admin().drain(refuge);
            table.put(VIEWED, ByteBuffer.wrap(Payload.random(3, VALUE)));
            String namenode = cluster.namenodeAddress();
            try (ClientProcess writer = ClientProcess.start(FileWriterMain.class, namenode);
                    ClientProcess viewer = ClientProcess.start(ViewerMain.class, namenode);
                    ClientProcess putter = ClientProcess.start(ValuePutterMain.class, namenode)) {
                writer.awaitLine("writing");
                viewer.awaitLine("viewing");
                putter.awaitLine("putting");
                operator.admin().undrain(refuge);
                drainByForce(namenode, doomed);
                cluster.killStorage(0);
                writer.send("go on");
                writer.awaitLine("lease lost");
                viewer.send("look again");
                viewer.awaitLine("intact");
                putter.send("enough");
                putter.awaitLine("no put failed");
                assertThat(putter.awaitEnd()).isZero();
            }
            assertThat(Payload.read(operator, FILE)).isEqualTo(Payload.random(1, SYNCED));
            assertThat(table.get(VIEWED).orElseThrow().toByteArray())
                    .isEqualTo(Payload.random(3, VALUE));
            for (int i = 0; i < ValuePutterMain.KEYS; i++) {
                assertThat(table.get(key(i)).orElseThrow().toByteArray())
                        .isEqualTo(Payload.random(i, VALUE));
            }
        }
    }

    private static void drainByForce(String namenode, int server) {
        String id = Integer.toString(server);
        try (ClientProcess drain =
                ClientProcess.start(
                        Main.class,
                        "admin",
                        "drain",
                        id,
                        "--force",
                        "--wait",
                        "200 ms",
                        "--namenode",
                        namenode)) {
            String said = drain.awaitLine();
            assertThat(said)
                    .startsWith("storage server " + id + " can be stopped; taken from writers: ")
                    .contains(" of granted blocks, 1 leases of files; not waited for: ");
            assertThat(drain.awaitEnd()).isZero();
        }
    }

    /** Syncs a part of a file, flushes more, and closes when told to. */
    static final class FileWriterMain {
        private FileWriterMain() {}

        public static void main(String[] args) throws IOException {
            CrailClient client = CrailClient.connect(ClientConfig.of(args[0]));
            CrailOutputStream out = client.createFile(FILE);
            out.write(Payload.random(1, SYNCED));
            out.sync();
            out.write(Payload.random(2, UNSYNCED));
            out.flush();
            System.out.println("writing");
            System.in.read();
            try {
                out.close();
                System.out.println("closed");
            } catch (LeaseLostException e) {
                System.out.println("lease lost");
            }
        }
    }

    /** Holds a view of a value. */
    static final class ViewerMain {
        private ViewerMain() {}

        public static void main(String[] args) throws IOException {
            CrailClient client = CrailClient.connect(ClientConfig.of(args[0]));
            try (CrailView view = client.table(TABLE).getView(VIEWED).orElseThrow()) {
                System.out.println(view.isZeroCopy() ? "viewing" : "copied");
                System.in.read();
                ByteBuffer all = ByteBuffer.allocate(VALUE);
                view.buffers().forEach(all::put);
                boolean intact = all.flip().equals(ByteBuffer.wrap(Payload.random(3, VALUE)));
                System.out.println(intact ? "intact" : "changed");
            }
        }
    }

    /** Puts the same values again and again. */
    static final class ValuePutterMain {
        static final int KEYS = 16;

        private ValuePutterMain() {}

        public static void main(String[] args) throws IOException {
            CrailClient client = CrailClient.connect(ClientConfig.of(args[0]));
            CrailTable table = client.table(TABLE);
            byte[][] values = new byte[KEYS][];
            for (int i = 0; i < KEYS; i++) {
                values[i] = Payload.random(i, VALUE);
            }
            boolean said = false;
            while (System.in.available() == 0) {
                for (int i = 0; i < KEYS; i++) {
                    table.put(key(i), ByteBuffer.wrap(values[i]));
                }
                if (!said) {
                    System.out.println("putting");
                    said = true;
                }
            }
            System.out.println("no put failed");
            client.close();
        }
    }
}
