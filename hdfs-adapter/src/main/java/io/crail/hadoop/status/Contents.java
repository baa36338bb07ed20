// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.status;

import io.crail.client.CrailClient;
import io.crail.client.Quota;
import io.crail.client.StorageServer;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.Summary;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;

/**
 * How much there is, and how much there may be. The namenode keeps count: each answer is one round
 * trip, however large the tree.
 *
 * <p>Hadoop counts a directory among what its limit allows, crail does not: numbers of nodes differ
 * by one on the way. Space is that of blocks, which may be more than the bytes in them.
 *
 * @param client asks and sets
 */
public record Contents(CrailClient client) {
    /** As Hadoop says it: this limit stays as it is. */
    private static final long KEEP = Long.MAX_VALUE;

    /** As Hadoop says it: no limit. */
    private static final long NONE = -1;

    /** What lies at and below a path. */
    public ContentSummary summary(String path) throws IOException {
        Summary.Reply found = ask(path);
        return new ContentSummary.Builder()
                .length(found.length())
                .fileCount(found.files() + found.keyValues())
                .directoryCount(found.directories() + found.tables())
                .quota(nodeLimit(found))
                .spaceConsumed(found.allocated())
                .spaceQuota(spaceLimit(found))
                .build();
    }

    /** Limits, and what there is of each. */
    public QuotaUsage usage(String path) throws IOException {
        Summary.Reply found = ask(path);
        return new QuotaUsage.Builder()
                .fileAndDirectoryCount(found.nodes())
                .quota(nodeLimit(found))
                .spaceConsumed(found.allocated())
                .spaceQuota(spaceLimit(found))
                .build();
    }

    private Summary.Reply ask(String path) throws IOException {
        try {
            return client.summary(path);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    private static long nodeLimit(Summary.Reply found) {
        return found.nodeLimit() == SetQuota.NO_LIMIT ? NONE : found.nodeLimit() + 1;
    }

    private static long spaceLimit(Summary.Reply found) {
        return found.classes().stream()
                .filter(use -> use.storageClass() == SetQuota.ALL_CLASSES)
                .mapToLong(Summary.ClassUse::limit)
                .filter(limit -> limit != SetQuota.NO_LIMIT)
                .findFirst()
                .orElse(NONE);
    }

    /** Sets limits, by the rules of Hadoop: what is to be kept and what is to be dropped. */
    public void limit(String path, long nodes, long space) throws IOException {
        if ((nodes <= 0 && nodes != NONE) || (space < 0 && space != NONE)) {
            throw new HadoopIllegalArgumentException(
                    "Invalid values for quota: " + nodes + " and " + space);
        }
        try {
            Quota old = client.quota(path);
            Quota next = withoutSpace(old, space == KEEP);
            long limit =
                    nodes == KEEP ? old.nodeLimit().orElse(NONE) : nodes == NONE ? NONE : nodes - 1;
            if (limit != NONE) {
                next = next.nodes(limit);
            }
            if (space != KEEP && space != NONE) {
                next = next.bytes(space);
            }
            client.setQuota(path, next);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    /** The limits of single classes, and that of all together if it is to be kept. */
    private static Quota withoutSpace(Quota old, boolean keep) {
        Quota next = Quota.NONE;
        for (int storageClass = 0; storageClass <= 255; storageClass++) {
            var limit = old.byteLimit(storageClass);
            if (limit.isPresent()) {
                next = next.bytes(storageClass, limit.getAsLong());
            }
        }
        return keep && old.byteLimit().isPresent() ? next.bytes(old.byteLimit().getAsLong()) : next;
    }

    /**
     * Limits the space on one kind of storage.
     *
     * @throws UnsupportedOperationException if the cluster has it in no class, or in several
     */
    public void limit(String path, StorageType type, long space) throws IOException {
        try {
            Set<Integer> classes =
                    client.servers().stream()
                            .filter(server -> Places.typeOf(server.tier()) == type)
                            .map(StorageServer::storageClass)
                            .collect(Collectors.toSet());
            if (classes.size() != 1) {
                throw new UnsupportedOperationException(
                        "storage of type " + type + " is in the storage classes " + classes);
            }
            int only = classes.iterator().next();
            Quota old = client.quota(path);
            Quota next = space == NONE ? without(old, only) : old.bytes(only, space);
            client.setQuota(path, next);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    private static Quota without(Quota old, int storageClass) {
        Quota next = Quota.NONE;
        if (old.nodeLimit().isPresent()) {
            next = next.nodes(old.nodeLimit().getAsLong());
        }
        if (old.byteLimit().isPresent()) {
            next = next.bytes(old.byteLimit().getAsLong());
        }
        for (int each = 0; each <= 255; each++) {
            if (each != storageClass && old.byteLimit(each).isPresent()) {
                next = next.bytes(each, old.byteLimit(each).getAsLong());
            }
        }
        return next;
    }

    /** The storage of the whole cluster. */
    public FsStatus status() throws IOException {
        try {
            long capacity = 0;
            long free = 0;
            for (Statistics.Capacity each : client.statistics().classes()) {
                capacity += each.capacity();
                free += each.free();
            }
            return new FsStatus(capacity, capacity - free, free);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, "/");
        }
    }
}
