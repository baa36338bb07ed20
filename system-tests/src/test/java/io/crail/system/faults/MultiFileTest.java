// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailBatchReader;
import io.crail.client.CrailClient;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailMultiFile;
import io.crail.client.CreateOptions;
import io.crail.client.MemberInfo;
import io.crail.client.MultiReadOptions;
import io.crail.client.ReadOrder;
import io.crail.protocol.message.NodeStatus;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.ProcessCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Multifiles written by several processes at once, with the failures that go with that. */
@Tag("faults")
@Timeout(120)
final class MultiFileTest {
    private static ProcessCluster cluster;

    @BeforeAll
    static void startCluster() {
        cluster =
                ProcessCluster.builder()
                        .capacity("128 MiB")
                        .set("namenode.session.timeout", "5 s")
                        .set("namenode.lease.time", "1 s")
                        .start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    /** Eight threads in three processes, about 500 members together. */
    private static void writeInProcesses(String path) {
        List<ClientProcess> writers = new ArrayList<>();
        int[] threads = {3, 3, 2};
        for (int i = 0; i < threads.length; i++) {
            writers.add(
                    ClientProcess.start(
                            MemberWriterMain.class,
                            cluster.namenodeAddress(),
                            path,
                            "p" + i,
                            "" + threads[i],
                            "63"));
        }
        for (ClientProcess writer : writers) {
            assertThat(writer.awaitEnd()).isZero();
        }
    }

    private static Map<String, byte[]> expected(CrailBatchReader reader) {
        Map<String, byte[]> expected = new TreeMap<>();
        for (MemberInfo member : reader.members()) {
            expected.put(member.name(), MemberWriterMain.content(member.name()));
        }
        return expected;
    }

    private static Map<String, byte[]> read(CrailBatchReader reader) throws IOException {
        Map<String, byte[]> read = new TreeMap<>();
        for (MemberInfo member : reader.members()) {
            read.put(member.name(), new byte[(int) member.length()]);
        }
        while (reader.next()) {
            ByteBuffer piece = reader.bytes();
            byte[] target = read.getOrDefault(reader.member().name(), new byte[0]);
            piece.get(target, (int) reader.position(), piece.remaining());
        }
        return read;
    }

    private static byte[] concatenated(Map<String, byte[]> members) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        members.values().forEach(all::writeBytes);
        return all.toByteArray();
    }

    @Test
    void whatThreeProcessesWroteIsReadAsOneWhileItIsRemoved() throws IOException {
        try (CrailClient client = cluster.client()) {
            CrailMultiFile multi = client.createMultiFile("/many");
            writeInProcesses("/many");
            Map<String, byte[]> all;
            try (CrailBatchReader reader =
                    multi.openReader(ReadOrder.ANY, MultiReadOptions.DEFAULT)) {
                all = expected(reader);
                assertThat(all).hasSize(8 * 63);
                assertThat(read(reader)).containsExactlyInAnyOrderEntriesOf(all);
            }
            byte[] whole = concatenated(all);
            try (CrailInputStream in = multi.openStream()) {
                assertThat(in.readAllBytes()).isEqualTo(whole);
            }
            // The bytes belong to those who have it open, whoever removes it.
            CrailInputStream in = multi.openStream(MultiReadOptions.DEFAULT.withWindow(2));
            byte[] begun = in.readNBytes(1000);
            try (CrailClient other = cluster.client()) {
                other.multiFile("/many").delete();
                other.createMultiFile("/many");
                writeInProcesses("/many");
            }
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            rest.writeBytes(begun);
            rest.writeBytes(in.readAllBytes());
            assertThat(rest.toByteArray()).isEqualTo(whole);
            in.close();
            multi.delete();
            awaitNothingLeft();
        }
    }

    private static void awaitNothingLeft() {
        cluster.await(
                "no block is left behind",
                c -> {
                    var bytes = c.statistics().classes().get(0);
                    return bytes.granted() == 0
                            && bytes.revoking() == 0
                            && bytes.quarantined() == 0
                            && bytes.committed() == 0;
                });
    }

    @Test
    void aKilledWriterLeavesWhatItCommittedAndTheOthersGoOn() throws IOException {
        try (CrailClient client = cluster.client()) {
            CrailMultiFile multi = client.createMultiFile("/killed");
            try (ClientProcess victim =
                    ClientProcess.start(
                            MemberWriterMain.class,
                            cluster.namenodeAddress(),
                            "/killed",
                            "victim",
                            "2",
                            "5",
                            "stay")) {
                victim.awaitLine("writing");
                victim.kill();
            }
            try (CrailInputStream closed =
                    multi.openStream(MultiReadOptions.DEFAULT.withClosedOnly(true))) {
                assertThat(closed.readAllBytes()).isEqualTo(without(multi, "victim-begun"));
            }
            multi.add("other").close();
            cluster.await(
                    "the writer's session has ended",
                    c -> !c.status("/killed/victim-begun").has(NodeStatus.OPEN_FOR_WRITING));
            try (CrailBatchReader reader =
                    multi.openReader(ReadOrder.NAME, MultiReadOptions.DEFAULT)) {
                assertThat(reader.members()).hasSize(12);
                Map<String, byte[]> read = read(reader);
                assertThat(read.get("victim-begun"))
                        .isEqualTo(Payload.random(1, MemberWriterMain.BEGUN));
            }
            multi.delete();
            awaitNothingLeft();
        }
    }

    private static byte[] without(CrailMultiFile multi, String name) throws IOException {
        Map<String, byte[]> members = new TreeMap<>();
        var entries = multi.list();
        while (entries.hasNext()) {
            String each = entries.next().name();
            if (!each.equals(name)) {
                members.put(each, MemberWriterMain.content(each));
            }
        }
        return concatenated(members);
    }

    @Test
    void aReaderGoesOnOverARestartOfTheNamenode() throws IOException {
        try (CrailClient client = cluster.client()) {
            CrailMultiFile multi = client.createMultiFile("/restarted");
            Map<String, byte[]> written = new TreeMap<>();
            for (int i = 0; i < 100; i++) {
                byte[] bytes = Payload.random(i, 50_000);
                written.put("m%03d".formatted(i), bytes);
                try (var out = multi.add("m%03d".formatted(i), CreateOptions.DEFAULT)) {
                    out.write(bytes);
                }
            }
            CrailInputStream in = multi.openStream(MultiReadOptions.DEFAULT.withWindow(1));
            byte[] begun = in.readNBytes(1000);
            multi.delete();
            cluster.killNamenode();
            cluster.restartNamenode();
            cluster.awaitLive(2);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(begun);
            all.writeBytes(in.readAllBytes());
            assertThat(all.toByteArray()).isEqualTo(concatenated(written));
            in.close();
            awaitNothingLeft();
        }
    }
}
