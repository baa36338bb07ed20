// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.AttributeChange;
import io.crail.client.CrailBatchReader;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailMultiFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.client.GetResult;
import io.crail.client.MultiReadOptions;
import io.crail.client.PutEntry;
import io.crail.client.PutResult;
import io.crail.client.Quota;
import io.crail.client.ReadOrder;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Calls of multifiles, streams, views, batches and attributes, for {@link Calls}: below the same
 * directory, and under the same rules.
 */
final class NodeCalls {
    private static final int MEMBERS = 5;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final CrailClient client;
    private final String home;
    private final byte[] large;
    private final CrailTable table;
    private final CrailMultiFile parts;

    NodeCalls(CrailClient client, String home, byte[] large) throws Exception {
        this.client = client;
        this.home = home;
        this.large = large;
        table = client.createTable(home + "/nt");
        table.put(key("large"), large);
        try (CrailOutputStream out = client.createFile(home + "/seen")) {
            out.write(large);
        }
        parts = client.createMultiFile(home + "/parts");
        for (int i = 0; i < MEMBERS; i++) {
            try (CrailOutputStream out = parts.add("p" + i)) {
                out.write(large);
            }
        }
        client.createMultiFile(home + "/grown");
        for (String name : List.of("/told", "/heard")) {
            try (CrailStream stream = client.createStream(home + name, StreamOptions.DEFAULT)) {
                stream.append(key("small"));
                stream.append(large);
            }
        }
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    void addTo(Map<String, Calls.Call> calls) {
        calls.put("add a member", this::addMember);
        calls.put("read members as a stream", this::readMembers);
        calls.put("read members in batches", this::readBatches);
        calls.put("append to a stream", this::append);
        calls.put("read a stream", this::readStream);
        calls.put("trim a stream", this::trim);
        calls.put("view a file", this::viewFile);
        calls.put("view a value", this::viewValue);
        calls.put("put many", this::putMany);
        calls.put("get many", this::getMany);
        calls.put("join and cut", this::joinAndCut);
        calls.put("extended attributes", this::xattrs);
        calls.put("quotas", this::quota);
        calls.put(
                "time to live",
                () ->
                        client.setAttributes(
                                home + "/seen",
                                AttributeChange.NONE.lifetime(Duration.ofHours(1))));
    }

    private void joinAndCut() throws Exception {
        for (String name : List.of("/joined", "/part")) {
            try (CrailOutputStream out = client.createFile(home + name, CreateOptions.OVERWRITE)) {
                out.write(large);
            }
        }
        client.concat(home + "/joined", List.of(home + "/part"));
        client.truncate(home + "/joined", large.length + 5);
        try (CrailFile file = client.open(home + "/joined")) {
            ByteBuffer target = ByteBuffer.allocate(large.length + 5);
            file.readFully(0, target);
            assertThat(target.slice(0, large.length)).isEqualTo(ByteBuffer.wrap(large));
            assertThat(target.slice(large.length, 5)).isEqualTo(ByteBuffer.wrap(large, 0, 5));
        }
    }

    private void addMember() throws Exception {
        CrailMultiFile grown = client.multiFile(home + "/grown");
        try (CrailOutputStream out = grown.add("m", CreateOptions.OVERWRITE)) {
            out.write(large);
        }
    }

    private void readMembers() throws Exception {
        try (CrailInputStream in = parts.openStream()) {
            byte[] all = in.readAllBytes();
            assertThat(all).hasSize(MEMBERS * large.length).startsWith(large).endsWith(large);
        }
    }

    private void readBatches() throws Exception {
        try (CrailBatchReader reader =
                parts.openReader(ReadOrder.ANY, MultiReadOptions.DEFAULT.withWindow(3))) {
            long bytes = 0;
            while (reader.next()) {
                bytes += reader.bytes().remaining();
            }
            assertThat(bytes).isEqualTo((long) MEMBERS * large.length);
        }
    }

    private void append() throws Exception {
        try (CrailStream stream = client.stream(home + "/told")) {
            assertThat(stream.append(key("more"))).isGreaterThanOrEqualTo(2);
            stream.append(large);
        }
    }

    private void trim() throws Exception {
        try (CrailStream stream = client.stream(home + "/told")) {
            stream.trim(stream.info().next());
        }
    }

    private void readStream() throws Exception {
        try (CrailStream stream = client.stream(home + "/heard");
                StreamReader reader = stream.readerFromEarliest()) {
            List<byte[]> records = new ArrayList<>();
            while (records.size() < 2) {
                for (StreamRecord record : reader.poll(2, LONG)) {
                    records.add(record.toArray());
                }
            }
            assertThat(records.get(0)).isEqualTo(key("small"));
            assertThat(records.get(1)).isEqualTo(large);
        }
    }

    private void viewFile() throws Exception {
        try (CrailFile file = client.open(home + "/seen");
                CrailView view = file.view(0, large.length)) {
            assertThat(bytes(view)).isEqualTo(large);
        }
    }

    private void viewValue() throws Exception {
        try (CrailView view = table.getView(key("large")).orElseThrow()) {
            assertThat(bytes(view)).isEqualTo(large);
        }
    }

    private static byte[] bytes(CrailView view) throws Exception {
        ByteBuffer all = ByteBuffer.allocate((int) view.length());
        view.buffers().forEach(all::put);
        return all.array();
    }

    private void putMany() throws Exception {
        List<PutResult> results =
                table.multiPut(
                        List.of(
                                new PutEntry(key("one"), key("1")),
                                new PutEntry(key("two"), large)));
        for (PutResult result : results) {
            assertThat(result.version()).isPositive();
        }
    }

    private void getMany() throws Exception {
        List<GetResult> results = table.multiGet(List.of(key("large"), key("never")));
        assertThat(results.get(0).value().orElseThrow().toByteArray()).isEqualTo(large);
        assertThat(results.get(1).value()).isEmpty();
    }

    private void xattrs() throws Exception {
        client.setXattr(home + "/seen", "user.a", key("b"));
        assertThat(client.getXattr(home + "/seen", "user.a")).contains(key("b"));
        client.removeXattr(home + "/seen", "user.a");
    }

    private void quota() throws Exception {
        client.setQuota(home + "/grown", Quota.NONE.nodes(1000));
        assertThat(client.quota(home + "/grown")).isNotNull();
    }
}
