// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What may lie below a directory or table at most. Immutable: each method returns a changed copy.
 *
 * @see CrailClient#setQuota
 */
public final class Quota {
    /** No limits. */
    public static final Quota NONE = new Quota(SetQuota.NO_LIMIT, new TreeMap<>());

    private final long nodes;
    private final SortedMap<Integer, Long> bytes;

    private Quota(long nodes, SortedMap<Integer, Long> bytes) {
        this.nodes = nodes;
        this.bytes = bytes;
    }

    /** The limits that a summary tells. */
    static Quota of(Summary.Reply summary) {
        SortedMap<Integer, Long> limits = new TreeMap<>();
        for (Summary.ClassUse use : summary.classes()) {
            if (use.limit() != SetQuota.NO_LIMIT) {
                limits.put(use.storageClass(), use.limit());
            }
        }
        return new Quota(summary.nodeLimit(), limits);
    }

    /** At most so many nodes of all types; the container itself is not counted. */
    public Quota nodes(long limit) {
        return new Quota(checked(limit), bytes);
    }

    /** At most so many bytes of blocks, in all storage classes together. */
    public Quota bytes(long limit) {
        return with(SetQuota.ALL_CLASSES, checked(limit));
    }

    /** At most so many bytes of blocks in a storage class. */
    public Quota bytes(int storageClass, long limit) {
        if (storageClass < 0 || storageClass > 255) {
            throw new IllegalArgumentException("storage class " + storageClass + ", not 0..255");
        }
        return with(storageClass, checked(limit));
    }

    private Quota with(int storageClass, long limit) {
        SortedMap<Integer, Long> changed = new TreeMap<>(bytes);
        changed.put(storageClass, limit);
        return new Quota(nodes, changed);
    }

    private static long checked(long limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit + " is negative");
        }
        return limit;
    }

    /** Nodes at most; empty without a limit. */
    public OptionalLong nodeLimit() {
        return nodes < 0 ? OptionalLong.empty() : OptionalLong.of(nodes);
    }

    /** Bytes of all storage classes together at most; empty without a limit. */
    public OptionalLong byteLimit() {
        return byteLimit(SetQuota.ALL_CLASSES);
    }

    /** Bytes of a storage class at most; empty without a limit. */
    public OptionalLong byteLimit(int storageClass) {
        Long limit = bytes.get(storageClass);
        return limit == null ? OptionalLong.empty() : OptionalLong.of(limit);
    }

    SetQuota.Request toRequest(byte[] path) {
        List<SetQuota.ClassLimit> limits = new ArrayList<>();
        for (Map.Entry<Integer, Long> each : bytes.entrySet()) {
            limits.add(new SetQuota.ClassLimit(each.getKey(), each.getValue()));
        }
        return new SetQuota.Request(path, nodes, limits);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quota quota && quota.nodes == nodes && quota.bytes.equals(bytes);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(nodes) * 31 + bytes.hashCode();
    }

    @Override
    public String toString() {
        return "Quota(nodes " + nodes + ", bytes " + bytes + ")";
    }
}
