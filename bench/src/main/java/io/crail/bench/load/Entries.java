// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.stage.Ring;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.ListEntries;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Entries of a directory of the benchmarks, and what a listing of them takes on the wire. */
final class Entries {
    private static final int DEPTH = 64;
    private static final int WIRE = 1 << 20;

    private Entries() {}

    static String name(int number) {
        return String.format(Locale.ROOT, "entry-%08d", number);
    }

    /** Makes the directory and its entries: directories, which need no close. */
    static void fill(CrailClient client, String directory, int count) throws IOException {
        client.mkdir(directory);
        Ring ring = new Ring(DEPTH);
        for (int i = 0; i < count; i++) {
            String path = directory + "/" + name(i);
            ring.add(slot -> client.mkdirAsync(path, CreateOptions.DEFAULT));
        }
        ring.drain();
    }

    /** Makes the directory and empty files in it. */
    static void fillWithFiles(CrailClient client, String directory, int count) throws IOException {
        client.mkdir(directory);
        Ring ring = new Ring(DEPTH);
        for (int i = 0; i < count; i++) {
            String path = directory + "/" + name(i);
            ring.add(slot -> createFile(client, path));
        }
        ring.drain();
    }

    /** Creates an empty file and closes it. */
    static CompletableFuture<?> createFile(CrailClient client, String path) {
        return client.createFileAsync(path, CreateOptions.DEFAULT)
                .thenCompose(CrailOutputStream::closeAsync);
    }

    /** Bytes of the answer to a request for a page of the directory. */
    static int bytesOfPage(CrailClient client, String directory, int page) throws IOException {
        List<DirectoryEntry> entries = Ring.result(client.listAsync(directory, "", page));
        List<ListEntries.Entry> listed =
                entries.stream()
                        .map(
                                entry ->
                                        new ListEntries.Entry(
                                                entry.name().getBytes(StandardCharsets.UTF_8),
                                                entry.status()))
                        .toList();
        WireWriter writer = new WireWriter(WIRE, WIRE);
        new ListEntries.Reply(true, listed).encode(writer);
        int withoutPlaces = Integer.BYTES * listed.size(); // the namenode leaves out empty lists
        return writer.position() - withoutPlaces;
    }

    /** Pages of a listing from the first to the last of that many entries. */
    static int pages(int entries) {
        return Math.max(1, (entries + ProtocolLimits.MAX_PAGE - 1) / ProtocolLimits.MAX_PAGE);
    }
}
