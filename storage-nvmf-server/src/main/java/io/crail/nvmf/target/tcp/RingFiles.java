// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.ring.Ring;
import io.crail.nvmf.target.subsystem.Namespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Descriptors of the files of namespaces that rings may read. Immutable. */
final class RingFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RingFiles.class);
    private static final int NONE = -1;
    private static final int ENTRIES = 8;

    private final int[] descriptors;

    private RingFiles(int[] descriptors) {
        this.descriptors = descriptors;
    }

    /** Opens them; null if there is no io_uring here, or no namespace that it can read. */
    static @Nullable RingFiles open(List<Namespace> namespaces) {
        if (namespaces.stream().allMatch(each -> each.medium().directFile() == null)) {
            return null;
        }
        int[] descriptors = new int[namespaces.size() + 1];
        Arrays.fill(descriptors, NONE);
        try {
            Ring ring =
                    new Ring(
                            ENTRIES,
                            (token, result) -> {
                                throw new IllegalStateException("nothing was read");
                            });
            try {
                for (Namespace each : namespaces) {
                    Path file = each.medium().directFile();
                    if (file != null) {
                        descriptors[each.id()] = ring.openDirect(file);
                    }
                }
            } finally {
                ring.close();
            }
        } catch (IOException e) {
            LOG.info("Each read takes a worker: {}", e.getMessage());
            return null;
        }
        return new RingFiles(descriptors);
    }

    /** Above the largest identifier of a namespace. */
    int count() {
        return descriptors.length;
    }

    /** Whether there is one for a namespace. */
    boolean has(Namespace namespace) {
        return descriptors[namespace.id()] != NONE;
    }

    int of(Namespace namespace) {
        return descriptors[namespace.id()];
    }
}
