// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.CrailFuture;
import io.crail.client.CrailIterator;
import io.crail.client.CrailStream;
import io.crail.client.CrailTable;
import io.crail.client.GetResult;
import io.crail.client.PutEntry;
import io.crail.client.PutOptions;
import io.crail.client.PutResult;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.client.TableEntry;
import io.crail.client.Value;
import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.OffsetOutOfRangeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The snippets of docs/api.md about tables and streams. */
class ApiGuideRecordsTest extends GuideCluster {
    @Test
    void tables() throws CrailException {
        // snippet: table
        CrailTable table = client.createTable("/state");
        byte[] key = "user-17".getBytes(UTF_8);

        long version = table.put(key, "blue".getBytes(UTF_8));
        Optional<Value> value = table.get(key);
        assertThat(value.orElseThrow().toByteArray()).isEqualTo("blue".getBytes(UTF_8));
        assertThat(value.orElseThrow().version()).isEqualTo(version);

        boolean existed = table.remove(key);
        assertThat(existed).isTrue();
        // end
        ByteBuffer initial = ByteBuffer.wrap(new byte[] {0});
        ByteBuffer next = ByteBuffer.wrap(new byte[] {1});
        // snippet: conditional puts
        Optional<Long> made = table.putIfAbsent(key, initial); // empty if the key has a value
        Optional<Long> changed = table.putIfVersion(key, next, made.orElseThrow());
        try {
            table.put(key, next, PutOptions.ifVersion(made.orElseThrow()));
        } catch (ConditionFailedException e) {
            // Somebody else was faster: get the value and try again.
        }
        // end
        assertThat(changed).isPresent();
        assertThat(table.get(key).orElseThrow().version()).isEqualTo(changed.orElseThrow());
    }

    @Test
    void streams() throws CrailException {
        // snippet: appending to a stream
        try (CrailStream stream =
                client.createStream(
                        "/events", StreamOptions.DEFAULT.withMaxAge(Duration.ofHours(1)))) {
            long offset = stream.append("started".getBytes(UTF_8)); // by any thread of any process
            CrailFuture<Long> next =
                    stream.appendAsync(ByteBuffer.wrap("going on".getBytes(UTF_8)));
            stream.flush(); // all that was appended is acknowledged
            assertThat(next.join()).isEqualTo(offset + 1);
        }
        // end
        Map<Long, String> seen = new TreeMap<>();
        // snippet: reading records
        try (StreamReader reader = client.stream("/events").readerFromEarliest()) {
            List<StreamRecord> records = reader.poll(100, Duration.ofSeconds(1));
            while (!records.isEmpty()) {
                for (StreamRecord record : records) {
                    seen.put(record.offset(), UTF_8.decode(record.bytes()).toString());
                }
                records = reader.poll(100, Duration.ZERO); // what is there, without waiting
            }
        } catch (OffsetOutOfRangeException e) {
            // Retention was faster: go on with reader.seek(e.firstValid().orElseThrow()).
        }
        // end
        assertThat(seen).isEqualTo(Map.of(0L, "started", 1L, "going on"));
    }

    @Test
    void scanning() throws CrailException {
        CrailTable table = client.createTable("/state");
        table.put(new byte[] {1}, new byte[10]);
        table.put(new byte[] {(byte) 200}, new byte[20]);
        long bytes = 0;
        // snippet: scanning
        CrailIterator<TableEntry> entries = table.scan(true); // true: small values come along
        while (entries.hasNext()) {
            TableEntry entry = entries.next();
            bytes += entry.length();
        }
        // end
        assertThat(bytes).isEqualTo(30);
    }

    @Test
    void manyKeys() throws CrailException {
        CrailTable table = client.createTable("/state");
        // snippet: many keys
        List<PutResult> put =
                table.multiPut(
                        List.of(
                                new PutEntry("a".getBytes(UTF_8), "one".getBytes(UTF_8)),
                                new PutEntry(
                                        "b".getBytes(UTF_8),
                                        ByteBuffer.wrap("two".getBytes(UTF_8)),
                                        PutOptions.IF_ABSENT)));
        for (PutResult each : put) {
            if (each instanceof PutResult.Failed failed) {
                throw failed.cause();
            }
        }
        List<GetResult> got = table.multiGet(List.of("a".getBytes(UTF_8), "x".getBytes(UTF_8)));
        assertThat(got.get(0).value().orElseThrow().toByteArray()).isEqualTo("one".getBytes(UTF_8));
        assertThat(got.get(1)).isInstanceOf(GetResult.Absent.class);
        // end
        assertThat(put.get(1).version()).isGreaterThan(put.get(0).version());
    }
}
