// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.terminal.Json;
import io.crail.client.local.LocalCluster;
import io.crail.client.local.LocalFlash;
import io.crail.client.local.StateDirectory;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.DurationText;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "start",
        description =
                "Starts a namenode and storage servers on loopback; returns when they serve. Of a"
                        + " cluster of which a part runs it starts what is missing.",
        footer = {
            "",
            "What a stopped or dead cluster of that name has left is used again, and so are its",
            "ports if they are free. Examples:",
            "  crail cluster start",
            "  crail cluster start --servers 3 --capacity 8GiB --port 9060",
            "  crail cluster start --capacity 1GiB --flash 20GiB --flash-dir /data",
            "  crail cluster start --name test --format -D namenode.durability=none"
        })
final class StartCommand extends Command {
    private static final int MAX_SERVERS = 64;
    private static final ByteSize DEFAULT_CAPACITY = new ByteSize(1L << 30);

    @Option(
            names = "--name",
            defaultValue = LocalCluster.DEFAULT,
            description = "Name of the cluster. Default: ${DEFAULT-VALUE}")
    private String name = "";

    @Option(
            names = "--servers",
            paramLabel = "N",
            description = "Storage servers. Default: as before, else 1")
    private @Nullable Integer servers;

    @Option(
            names = "--capacity",
            paramLabel = "SIZE",
            description = "Bytes that each of them offers. Default: as before, else 1GiB")
    private @Nullable String capacity;

    /** Less has hardly room for anything beside what describes it. */
    private static final long SMALLEST_FLASH = 16 << 20;

    @Option(
            names = "--flash",
            paramLabel = "SIZE",
            description =
                    "Size of a file on disk that is offered besides, as storage class 1. It gets its"
                            + " space as that is needed. Default: as before, else none")
    private @Nullable String flash;

    @Option(
            names = "--flash-dir",
            paramLabel = "DIR",
            description =
                    "Directory on disk in which the file is, in a directory of its own. Default:"
                            + " as before, else /var/tmp")
    private @Nullable Path flashDirectory;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port of the namenode. Default: as before, else any free one")
    private int port;

    @Option(names = "--format", description = "Discards what an earlier cluster has left.")
    private boolean format;

    @Option(
            names = "--ready",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "Longest time until everything serves. Default: ${DEFAULT-VALUE}")
    private String ready = "";

    StartCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        invocation.configuration();
        StateDirectory state = StateDirectory.ofUser(invocation.environment());
        Path directory = state.cluster(name);
        state.prepare();
        ClusterPlan plan = plan(directory);
        LocalCluster cluster = start(plan);
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "name",
                            name,
                            "namenode",
                            cluster.namenode().toString(),
                            "servers",
                            cluster.servers(),
                            "capacity",
                            cluster.capacity().bytes() * cluster.servers(),
                            "flash",
                            cluster.flash().map(LocalFlash::size).map(ByteSize::bytes).orElse(0L),
                            "directory",
                            directory.toString()));
            return;
        }
        invocation.out().println("cluster '" + name + "' is ready");
        invocation.out().println("  namenode  " + cluster.namenode());
        invocation.out().println("  logs      " + directory + "/*.log");
        invocation.out().println("  use       " + usage(cluster) + " fs ls /");
        invocation.out().println("  stop      crail cluster stop" + nameOption());
    }

    /** Ended by a signal meanwhile, it leaves nothing running. */
    private LocalCluster start(ClusterPlan plan) throws IOException {
        ClusterStart start =
                new ClusterStart(plan, step -> invocation.console().err().println(step + " ..."));
        Leftovers.Removal removal = invocation.leftovers().add(start::cancel);
        try {
            return start.run();
        } finally {
            invocation.leftovers().forget(removal);
        }
    }

    private String usage(LocalCluster cluster) {
        return name.equals(LocalCluster.DEFAULT)
                ? "crail"
                : "CRAIL_NAMENODE=" + cluster.namenode() + " crail";
    }

    private String nameOption() {
        return name.equals(LocalCluster.DEFAULT) ? "" : " --name " + name;
    }

    private ClusterPlan plan(Path directory) throws IOException {
        LocalCluster earlier = format ? null : LocalCluster.read(directory);
        int number = servers != null ? servers : earlier != null ? earlier.servers() : 1;
        if (number < 1 || number > MAX_SERVERS) {
            throw new InvalidArgumentException(
                    "--servers " + number + ": must be within 1.." + MAX_SERVERS);
        }
        if (port < 0 || port > Endpoint.MAX_PORT) {
            throw new InvalidArgumentException("--port " + port + ": must be within 0..65535");
        }
        ByteSize size = capacity(earlier);
        DataDirectory data =
                DataDirectory.choose(directory, invocation.configuration(), number * size.bytes());
        if (!data.shared() && !data.huge()) {
            invocation
                    .console()
                    .err()
                    .println("shared memory is too small: data go to " + data.path());
        }
        return new ClusterPlan(
                directory,
                data.path(),
                number,
                size,
                flash(directory, earlier),
                port,
                format,
                bound(),
                false,
                options(earlier));
    }

    private ByteSize capacity(@Nullable LocalCluster earlier) throws InvalidArgumentException {
        if (capacity == null) {
            return earlier != null ? earlier.capacity() : DEFAULT_CAPACITY;
        }
        return size("--capacity", capacity);
    }

    private Optional<LocalFlash> flash(Path directory, @Nullable LocalCluster earlier)
            throws IOException {
        Optional<LocalFlash> before = earlier == null ? Optional.empty() : earlier.flash();
        if (flash == null) {
            if (flashDirectory != null) {
                throw new InvalidArgumentException("--flash-dir: goes with --flash");
            }
            return before;
        }
        ByteSize bytes = size("--flash", flash);
        if (bytes.bytes() < SMALLEST_FLASH) {
            throw new InvalidArgumentException(
                    "--flash "
                            + flash
                            + ": must be "
                            + new ByteSize(SMALLEST_FLASH).rounded()
                            + " or more");
        }
        if (before.isPresent()) {
            if (flashDirectory != null) {
                throw new InvalidArgumentException(
                        "--flash-dir: the flash of this cluster is in "
                                + before.get().directory()
                                + " already; leave it out, or discard all with --format");
            }
            return Optional.of(new LocalFlash(before.get().directory(), bytes));
        }
        return Optional.of(FlashDirectory.choose(directory, flashDirectory).of(bytes));
    }

    private static ByteSize size(String option, String text) throws InvalidArgumentException {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    private Duration bound() throws InvalidArgumentException {
        try {
            return DurationText.parse(ready);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--ready: " + e.getMessage(), e);
        }
    }

    /** Those given; without any those of the servers that run already, if any do. */
    private List<String> options(@Nullable LocalCluster earlier) throws InvalidArgumentException {
        List<String> given = invocation.configurationOptions();
        boolean runs =
                earlier != null
                        && earlier.processNames().stream()
                                .anyMatch(process -> earlier.process(process) != null);
        return given.isEmpty() && earlier != null && runs ? earlier.options() : given;
    }
}
