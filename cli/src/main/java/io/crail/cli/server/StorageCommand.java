// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.server;

import io.crail.cli.command.Invocation;
import io.crail.error.CrailException;
import io.crail.protocol.config.NvmfKeys;
import io.crail.protocol.config.StorageKeys;
import io.crail.protocol.launch.RunningServer;
import io.crail.protocol.launch.ServerLauncher;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Runs a storage server. */
@CommandLine.Command(
        name = "storage",
        description = "Runs a storage server in the foreground.",
        footer = {
            "",
            "When it is registered it prints 'crail storage ready on HOST:PORT'. Example:",
            "  crail storage --tier dram --capacity 16GiB --namenode nn:9060 --host 0.0.0.0",
            "  crail storage --tier nvmf --file /data/crail.img --size 20GiB --namenode nn:9060",
            "  crail storage --tier nvmf --target tcp:nvme1:4420 --nqn nqn.2026-11.com.example:flash"
                    + " --namespace 1"
        })
public final class StorageCommand extends ServerCommand {
    @Option(names = "--tier", paramLabel = "TIER", description = "Kind of storage: dram or nvmf.")
    private @Nullable String tier;

    @Option(
            names = {"--capacity", "--size"},
            paramLabel = "SIZE",
            description =
                    "Bytes to offer; for tier nvmf the size of a file that is made: one that is"
                            + " there keeps its own.")
    private @Nullable String capacity;

    @Option(names = "--segment-size", paramLabel = "SIZE", description = "Size of new segments.")
    private @Nullable String segmentSize;

    @Option(names = "--class", paramLabel = "N", description = "Storage class, 0..255.")
    private @Nullable String storageClass;

    @Option(names = "--location", paramLabel = "PLACE", description = "Host or rack.")
    private @Nullable String location;

    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on.")
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port to listen on; 0 takes any free one.")
    private @Nullable String port;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Directory of the segments; of tier nvmf, of the server's identity: by default"
                            + " FILE.server, or below ~/.local/state/crail for devices and targets.")
    private @Nullable Path directory;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "File or block device of tier nvmf; a file is made if it is not there.")
    private @Nullable Path file;

    @Option(
            names = "--target",
            paramLabel = "TARGET",
            description =
                    "Target of tier nvmf that is not its own: tcp:HOST:PORT or rdma:HOST:PORT.")
    private @Nullable String target;

    @Option(names = "--nqn", paramLabel = "NQN", description = "Subsystem of the target.")
    private @Nullable String nqn;

    @Option(
            names = "--namespace",
            paramLabel = "N",
            description = "Namespace of the subsystem, which is used as a whole; 1 by default.")
    private @Nullable String namespace;

    @Option(
            names = "--huge-pages",
            paramLabel = "DIR",
            description = "Directory on a hugetlbfs, for the segments.")
    private @Nullable Path hugePages;

    @Option(names = "--format", description = "Discards what an earlier run left there.")
    private boolean format;

    public StorageCommand(Invocation invocation) {
        super(invocation, "storage", StorageKeys.LOG_FORMAT);
    }

    @Override
    void apply() {
        set(StorageKeys.TIER, tier, "--tier");
        set(StorageKeys.CAPACITY, capacity, "--capacity");
        set(StorageKeys.SEGMENT_SIZE, segmentSize, "--segment-size");
        set(StorageKeys.STORAGE_CLASS, storageClass, "--class");
        set(StorageKeys.LOCATION, location, "--location");
        set(StorageKeys.BIND_HOST, host, "--host");
        set(StorageKeys.BIND_PORT, port, "--port");
        set(StorageKeys.DIRECTORY, directory, "--dir");
        set(NvmfKeys.FILE, file, "--file");
        set(NvmfKeys.TARGET, target, "--target");
        set(NvmfKeys.NQN, nqn, "--nqn");
        set(NvmfKeys.NAMESPACE, namespace, "--namespace");
        set(StorageKeys.HUGE_PAGES, hugePages, "--huge-pages");
        set(StorageKeys.FORMAT, format ? "true" : null, "--format");
    }

    /** At the namenodes that other commands ask, too: also those of the local cluster. */
    @Override
    RunningServer start(ServerLauncher launcher) throws CrailException {
        UnaryOperator<CrailException> explain = invocation.configureNamenodes();
        try {
            return super.start(launcher);
        } catch (CrailException e) {
            throw explain.apply(e);
        }
    }
}
