// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.NvmfKeys;
import io.crail.protocol.config.StorageKeys;
import io.crail.storage.StorageConfig;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the configuration of a storage server has for the flash tier only. */
final class FlashConfigurations {
    static final String TIER = "nvmf";

    /** Behind memory. */
    static final int STORAGE_CLASS = 1;

    private static final String DIRECTORY_SUFFIX = ".server";

    private FlashConfigurations() {}

    static void apply(Configuration values, StorageConfig.Builder builder)
            throws InvalidArgumentException {
        Path file = values.get(NvmfKeys.FILE);
        if (file.toString().isEmpty()) {
            throw new InvalidArgumentException(
                    "tier nvmf needs a file or a block device: --file, or " + NvmfKeys.FILE);
        }
        builder.directory(directory(file.toAbsolutePath(), values))
                .tierOption("file", file.toAbsolutePath().toString())
                .tierOption("direct", values.get(NvmfKeys.DIRECT))
                .tierOption("allocation", values.get(NvmfKeys.ALLOCATION))
                .tierOption("io_queues", values.get(NvmfKeys.IO_QUEUES).toString())
                .tierOption("queue_entries", values.get(NvmfKeys.QUEUE_ENTRIES).toString())
                .tierOption("connections", values.get(NvmfKeys.CONNECTIONS).toString())
                .tierOption("workers", values.get(NvmfKeys.WORKERS).toString())
                .tierOption("event_loops", values.get(NvmfKeys.EVENT_LOOPS).toString())
                .tierOption("memory", Long.toString(values.get(NvmfKeys.MEMORY).bytes()))
                .tierOption("control_port", values.get(NvmfKeys.CONTROL_PORT).toString());
    }

    /** The identity has to live as long as the data: not in memory, where others have theirs. */
    private static Path directory(Path file, Configuration values) throws InvalidArgumentException {
        Path configured = values.get(StorageKeys.DIRECTORY);
        if (!configured.toString().isEmpty()) {
            return configured.toAbsolutePath();
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new InvalidArgumentException(
                    "the identity of the server of device "
                            + file
                            + " needs a directory that survives a restart of the host: --dir, or "
                            + StorageKeys.DIRECTORY);
        }
        return file.resolveSibling(file.getFileName() + DIRECTORY_SUFFIX);
    }
}
