// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.launch;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.NvmfKeys;
import io.crail.protocol.config.StorageKeys;
import io.crail.storage.StorageConfig;
import java.io.IOException;
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
        String target = values.get(NvmfKeys.TARGET);
        if (!target.isEmpty()) {
            external(values, file, target, builder);
            return;
        }
        if (values.isSet(NvmfKeys.NQN) || values.isSet(NvmfKeys.NAMESPACE)) {
            throw new InvalidArgumentException(
                    "--nqn and --namespace say which namespace of a target: name it by --target, or "
                            + NvmfKeys.TARGET);
        }
        if (file.toString().isEmpty()) {
            throw new InvalidArgumentException(
                    "tier nvmf needs a file or a block device: --file, or "
                            + NvmfKeys.FILE
                            + "; or a namespace of a target: --target, --nqn, --namespace");
        }
        checkPlace(file.toAbsolutePath());
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
                .tierOption(
                        "shared_memory", Long.toString(values.get(NvmfKeys.SHARED_MEMORY).bytes()))
                .tierOption("control_port", values.get(NvmfKeys.CONTROL_PORT).toString());
    }

    private static void external(
            Configuration values, Path file, String target, StorageConfig.Builder builder)
            throws InvalidArgumentException {
        if (!file.toString().isEmpty()) {
            throw new InvalidArgumentException(
                    "--file "
                            + file
                            + " is for the built-in target, --target "
                            + target
                            + " for another one: name one of them");
        }
        String namespace =
                target + " " + values.get(NvmfKeys.NQN) + " " + values.get(NvmfKeys.NAMESPACE);
        builder.directory(identity(namespace, values))
                .tierOption("target", target)
                .tierOption("nqn", values.get(NvmfKeys.NQN))
                .tierOption("namespace", values.get(NvmfKeys.NAMESPACE).toString())
                .tierOption(
                        "keep_alive_millis",
                        Long.toString(values.get(NvmfKeys.KEEP_ALIVE).toMillis()))
                .tierOption("deallocate", values.get(NvmfKeys.DEALLOCATE).toString())
                .tierOption("control_port", values.get(NvmfKeys.CONTROL_PORT).toString());
    }

    /** A directory that is not there is a mistake, or a file system that is not mounted. */
    private static void checkPlace(Path file) throws InvalidArgumentException {
        Path parent = file.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            throw new InvalidArgumentException(
                    "--file "
                            + file
                            + ": there is no directory "
                            + parent
                            + "; make it, mount what belongs there, or correct the path");
        }
    }

    /** The identity has to live as long as the data: not in memory, where others have theirs. */
    private static Path directory(Path file, Configuration values) throws InvalidArgumentException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            return identity(file.toString(), values);
        }
        Path configured = values.get(StorageKeys.DIRECTORY);
        return configured.toString().isEmpty()
                ? file.resolveSibling(file.getFileName() + DIRECTORY_SUFFIX)
                : configured.toAbsolutePath();
    }

    private static Path identity(String medium, Configuration values)
            throws InvalidArgumentException {
        Path configured = values.get(StorageKeys.DIRECTORY);
        return configured.toString().isEmpty()
                ? IdentityPlace.of(medium, System.getenv(), System.getProperty("user.home", ""))
                : configured.toAbsolutePath();
    }

    /** Whether a file will be made and written, which may take minutes. */
    static boolean makesFile(Configuration values) {
        return values.get(StorageKeys.TIER).equals(TIER)
                && values.get(NvmfKeys.TARGET).isEmpty()
                && !values.get(NvmfKeys.FILE).toString().isEmpty()
                && !Files.exists(values.get(NvmfKeys.FILE));
    }

    /** Bytes to offer: those of a file that is there, unless its user says how many he expects. */
    static long capacity(Configuration values) throws InvalidArgumentException {
        Path file = values.get(NvmfKeys.FILE);
        if (values.isSet(StorageKeys.CAPACITY)
                || file.toString().isEmpty()
                || !Files.isRegularFile(file)) {
            return values.get(StorageKeys.CAPACITY).bytes();
        }
        try {
            long bytes = Files.size(file);
            return bytes > 0 ? bytes : values.get(StorageKeys.CAPACITY).bytes();
        } catch (IOException e) {
            throw new InvalidArgumentException("--file " + file + " cannot be looked at: " + e, e);
        }
    }
}
