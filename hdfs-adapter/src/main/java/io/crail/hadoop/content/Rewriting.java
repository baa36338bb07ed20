// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.content;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.client.RenameOption;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.HadoopIllegalArgumentException;

/**
 * Joins and cuts files. The store appends only, so both write a new file and put it in the place of
 * the old one, atomically; they cost a copy, inside the store's memory where that is on this host.
 *
 * <p>The leases of all files that take part are held meanwhile: nobody can be writing them, and
 * what is joined is what there is. The new file goes with the session until it has its name, so
 * that a process that dies leaves nothing. Mode, owner, class and extended attributes are kept, the
 * identity of the node is not.
 *
 * @param client copies and renames
 */
public record Rewriting(CrailClient client) {
    /** Bytes that are copied together. */
    private static final long PIECE = 8L << 20;

    /**
     * Appends files to one, and removes them.
     *
     * @throws HadoopIllegalArgumentException if there are none, one is named twice, or is the
     *     target
     */
    public void concat(String target, List<String> sources) throws IOException {
        checkSources(target, sources);
        List<CrailOutputStream> held = new ArrayList<>();
        String at = target;
        try {
            held.add(client.append(target));
            for (String source : sources) {
                at = source;
                held.add(client.append(source));
            }
            at = target;
            try (Replacement replacement = new Replacement(target)) {
                replacement.copy(target, Long.MAX_VALUE);
                for (String source : sources) {
                    at = source;
                    replacement.copy(source, Long.MAX_VALUE);
                }
                at = target;
                replacement.take();
            }
            for (String source : sources) {
                at = source;
                client.delete(source, false);
            }
        } catch (CrailException e) {
            throw HadoopErrors.of(e, at);
        } finally {
            held.forEach(CrailOutputStream::abort);
        }
    }

    private static void checkSources(String target, List<String> sources) {
        if (sources.isEmpty()) {
            throw new HadoopIllegalArgumentException("concat: no files to append to " + target);
        }
        Set<String> seen = new HashSet<>(List.of(target));
        for (String source : sources) {
            if (!seen.add(source)) {
                throw new HadoopIllegalArgumentException(
                        "concat: "
                                + source
                                + (source.equals(target)
                                        ? " is the target itself"
                                        : " is named twice"));
            }
        }
    }

    /**
     * Cuts a file.
     *
     * @throws HadoopIllegalArgumentException if the length is negative or the file is shorter
     */
    public void truncate(String path, long length) throws IOException {
        if (length < 0) {
            throw new HadoopIllegalArgumentException(
                    "cannot truncate " + path + " to the negative length " + length);
        }
        CrailOutputStream held;
        try {
            held = client.append(path);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
        try {
            long now = held.position();
            if (length > now) {
                throw new HadoopIllegalArgumentException(
                        "cannot truncate %s to %d: it has %d bytes".formatted(path, length, now));
            }
            if (length < now) {
                try (Replacement replacement = new Replacement(path)) {
                    replacement.copy(path, length);
                    replacement.take();
                }
            }
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        } finally {
            held.abort();
        }
    }

    /** A new file with the attributes of an old one, which it may replace. */
    private final class Replacement implements AutoCloseable {
        private final String target;
        private final String path;
        private final CrailOutputStream out;

        Replacement(String target) throws CrailException {
            this.target = target;
            this.path =
                    target.substring(0, target.lastIndexOf('/') + 1)
                            + ".crail-"
                            + UUID.randomUUID();
            NodeStatus old = client.status(target);
            out =
                    client.createFile(
                            path,
                            CreateOptions.builder()
                                    .sessionBound(true)
                                    .mode(old.mode())
                                    .owner(old.owner())
                                    .group(old.group())
                                    .storageClass(old.storageClass())
                                    .checksums(old.has(NodeStatus.CHECKSUMS))
                                    .build());
        }

        void copy(String source, long atMost) throws CrailException {
            try (CrailFile file = client.open(source)) {
                long end = Math.min(atMost, file.length());
                for (long at = 0; at < end; at += PIECE) {
                    try (CrailView view = file.view(at, Math.min(PIECE, end - at))) {
                        for (ByteBuffer part : view.buffers()) {
                            out.append(part);
                        }
                    }
                }
            }
        }

        void take() throws CrailException {
            out.close();
            for (Map.Entry<String, byte[]> each : client.getXattrs(target).entrySet()) {
                client.setXattr(path, each.getKey(), each.getValue());
            }
            client.rename(path, target, RenameOption.REPLACE, RenameOption.UNBIND);
        }

        /** What has not taken its place is removed, at the latest with the session. */
        @Override
        public void close() throws CrailException {
            out.abort();
            if (client.lookup(path).filter(left -> left.type() == NodeType.FILE).isPresent()) {
                client.delete(path, false);
            }
        }
    }
}
