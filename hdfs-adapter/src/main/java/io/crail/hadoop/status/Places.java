// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import io.crail.client.CrailClient;
import io.crail.client.StorageServer;
import io.crail.error.CrailException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.StorageType;
import org.jspecify.annotations.Nullable;

/**
 * Where bytes lie, as schedulers want to know it. Thread-safe.
 *
 * <p>Blocks that follow each other on one server are told as one place. Of servers it is remembered
 * on which kind of storage they keep bytes, which never changes; the list is fetched when a server
 * shows up that is not on it.
 */
public final class Places {
    private static final String[] NONE = {};

    private volatile Map<Integer, StorageType> types = Map.of();

    /**
     * The places of a part of a file.
     *
     * @param blocks of the whole file, in order
     * @param start first byte of the part
     * @param length bytes of the part
     */
    public BlockLocation[] of(
            CrailClient client, List<io.crail.client.BlockLocation> blocks, long start, long length)
            throws CrailException {
        long end = start + length < 0 ? Long.MAX_VALUE : start + length;
        List<BlockLocation> places = new ArrayList<>();
        io.crail.client.@Nullable BlockLocation first = null;
        long runEnd = 0;
        for (io.crail.client.BlockLocation block : blocks) {
            long blockEnd = block.offset() + block.length();
            if (blockEnd <= start || block.offset() >= end) {
                continue;
            }
            if (first != null && (first.server() != block.server() || runEnd != block.offset())) {
                places.add(place(client, first, runEnd));
                first = null;
            }
            if (first == null) {
                first = block;
            }
            runEnd = blockEnd;
        }
        if (first != null) {
            places.add(place(client, first, runEnd));
        }
        return places.toArray(BlockLocation[]::new);
    }

    private BlockLocation place(CrailClient client, io.crail.client.BlockLocation first, long end)
            throws CrailException {
        String name = first.endpoint().isEmpty() ? first.host() : first.endpoint();
        return new BlockLocation(
                new String[] {name},
                new String[] {first.host()},
                NONE,
                first.locationClass().isEmpty()
                        ? NONE
                        : new String[] {rack(first.locationClass()) + "/" + name},
                new String[] {Integer.toString(first.server())},
                new StorageType[] {typeOf(client, first.server())},
                first.offset(),
                end - first.offset(),
                false);
    }

    /** A location class is a rack, or a rack and a host. */
    private static String rack(String locationClass) {
        int slash = locationClass.indexOf('/');
        return "/" + (slash < 0 ? locationClass : locationClass.substring(0, slash));
    }

    private StorageType typeOf(CrailClient client, int server) throws CrailException {
        StorageType known = types.get(server);
        if (known == null) {
            Map<Integer, StorageType> fresh =
                    client.servers().stream()
                            .collect(
                                    Collectors.toMap(
                                            StorageServer::id, each -> typeOf(each.tier())));
            types = fresh;
            known = fresh.getOrDefault(server, StorageType.RAM_DISK);
        }
        return known;
    }

    static StorageType typeOf(String tier) {
        return tier.toLowerCase(Locale.ROOT).startsWith("dram")
                ? StorageType.RAM_DISK
                : StorageType.SSD;
    }
}
