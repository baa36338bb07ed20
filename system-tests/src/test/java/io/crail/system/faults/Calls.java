// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailIterator;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.client.TableEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Every kind of call of the client's API, each checking what it gets. All work below one directory,
 * which belongs to one thread. A call that was cut off may have happened or not; every call works
 * from either.
 */
final class Calls {
    /** One kind of call. */
    @FunctionalInterface
    interface Call {
        void run() throws Exception;
    }

    private static final int LARGE = 300_000;
    private static final int FILE = 2_500_000;

    private final CrailClient client;
    private final String home;
    private final CrailTable table;
    private final byte[] content = new byte[FILE];
    private final byte[] large = new byte[LARGE];
    private final Map<String, Call> calls = new LinkedHashMap<>();

    Calls(CrailClient client, String home, long seed) throws Exception {
        this.client = client;
        this.home = home;
        Random random = new Random(seed);
        random.nextBytes(content);
        random.nextBytes(large);
        client.mkdir(home + "/d", CreateOptions.PARENTS);
        table = client.createTable(home + "/t");
        table.put(key("small"), key("value"));
        table.put(key("large"), large);
        writeFile(home + "/read");
        names();
        bytes();
        values();
        asynchronous();
        new NodeCalls(client, home, large).addTo(calls);
    }

    Map<String, Call> all() {
        return calls;
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void writeFile(String path) throws Exception {
        try (CrailOutputStream out = client.createFile(path, CreateOptions.OVERWRITE)) {
            out.write(content);
        }
    }

    private void names() {
        calls.put("lookup", () -> assertThat(client.lookup(home + "/read")).isPresent());
        calls.put("lookup of nothing", () -> assertThat(client.lookup(home + "/no")).isEmpty());
        calls.put("mkdir", () -> client.mkdir(home + "/d/x", CreateOptions.PARENTS));
        calls.put("list", this::list);
        calls.put(
                "rename",
                () -> {
                    client.mkdir(home + "/from", CreateOptions.PARENTS);
                    if (client.lookup(home + "/to").isPresent()) {
                        client.delete(home + "/to", true);
                    }
                    client.rename(home + "/from", home + "/to");
                });
        calls.put(
                "delete",
                () -> {
                    client.mkdir(home + "/gone/below", CreateOptions.PARENTS);
                    client.delete(home + "/gone", true);
                });
        calls.put(
                "set attributes",
                () -> client.setAttributes(home + "/read", AttributeChange.NONE.mode(0600)));
        calls.put("summary", () -> assertThat(client.summary(home).files()).isPositive());
        calls.put("statistics", () -> assertThat(client.statistics().files()).isPositive());
        calls.put("locations", () -> assertThat(client.locations(home + "/read")).isNotEmpty());
        calls.put("ping", client::ping);
    }

    private void list() throws Exception {
        boolean found = false;
        for (CrailIterator<DirectoryEntry> all = client.list(home); all.hasNext(); ) {
            found |= all.next().name().equals("read");
        }
        assertThat(found).isTrue();
    }

    private void bytes() {
        calls.put("write a file", () -> writeFile(home + "/written"));
        calls.put(
                "sync and append",
                () -> {
                    try (CrailOutputStream out =
                            client.createFile(home + "/synced", CreateOptions.OVERWRITE)) {
                        out.write(content, 0, 10_000);
                        out.sync();
                        out.append(ByteBuffer.wrap(content, 10_000, LARGE));
                    }
                });
        calls.put(
                "read a file",
                () -> {
                    try (CrailFile file = client.open(home + "/read")) {
                        assertThat(file.newInputStream().readAllBytes()).isEqualTo(content);
                    }
                });
        calls.put(
                "read positions",
                () -> {
                    try (CrailFile file = client.open(home + "/read")) {
                        ByteBuffer target = ByteBuffer.allocateDirect(LARGE);
                        file.readFully(77_777, target);
                        checkRange(target.flip(), 77_777);
                    }
                });
        calls.put(
                "read vectors",
                () -> {
                    ByteBuffer one = ByteBuffer.allocate(5000);
                    ByteBuffer two = ByteBuffer.allocateDirect(90_000);
                    try (CrailFile file = client.open(home + "/read")) {
                        file.readVectored(
                                List.of(
                                        new CrailFile.Range(1_000_001, one),
                                        new CrailFile.Range(3, two)));
                    }
                    checkRange(one.flip(), 1_000_001);
                    checkRange(two.flip(), 3);
                });
        calls.put(
                "await a length",
                () -> {
                    try (CrailOutputStream out =
                                    client.createFile(home + "/grows", CreateOptions.OVERWRITE);
                            CrailFile file = client.open(home + "/grows")) {
                        out.write(1);
                        assertThat(file.awaitLength(0, Duration.ofMillis(20)).length()).isZero();
                    }
                });
    }

    private void checkRange(ByteBuffer bytes, int from) {
        ByteBuffer expected = ByteBuffer.wrap(content, from, bytes.remaining());
        assertThat(bytes.mismatch(expected)).isEqualTo(-1);
    }

    private void values() {
        calls.put(
                "get inline",
                () ->
                        assertThat(table.get(key("small")).orElseThrow().toByteArray())
                                .isEqualTo(key("value")));
        calls.put(
                "get blocks",
                () ->
                        assertThat(table.get(key("large")).orElseThrow().toByteArray())
                                .isEqualTo(large));
        calls.put("put inline", () -> table.put(key("a"), key("b")));
        calls.put("put blocks", () -> table.put(key("b"), large));
        calls.put("remove", () -> table.remove(key("a")));
        calls.put("put if absent", () -> table.putIfAbsent(key("c"), ByteBuffer.wrap(large)));
        calls.put(
                "scan",
                () -> {
                    int entries = 0;
                    for (CrailIterator<TableEntry> all = table.scan(true); all.hasNext(); ) {
                        all.next();
                        entries++;
                    }
                    assertThat(entries).isGreaterThanOrEqualTo(2);
                });
    }

    private void asynchronous() {
        calls.put(
                "wait for a put",
                () -> table.putAsync(key("d"), ByteBuffer.wrap(Arrays.copyOf(large, 9000))).get());
        calls.put(
                "wait for a get",
                () ->
                        assertThat(table.getAsync(key("large")).get().orElseThrow().toByteArray())
                                .isEqualTo(large));
        calls.put(
                "wait for a lookup",
                () -> assertThat(client.lookupAsync(home + "/read").get()).isPresent());
        calls.put(
                "write asynchronously",
                () -> {
                    try (CrailOutputStream out =
                            client.createFile(home + "/later", CreateOptions.OVERWRITE)) {
                        out.appendAsync(ByteBuffer.wrap(content, 0, LARGE)).get();
                        out.syncAsync().get();
                    }
                });
    }
}
