// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.nvmf;

import io.crail.cli.command.Command;
import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.terminal.Json;
import io.crail.client.local.ReadyLine;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.Endpoint;
import io.crail.protocol.launch.RunningTarget;
import io.crail.protocol.launch.TargetLauncher;
import io.crail.protocol.launch.TargetRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "target",
        description = {
            "Serves a file or a block device over NVMe/TCP, in the foreground, to any host that"
                    + " speaks it: 'nvme connect' of Linux makes a disk of it. Hosts are told apart"
                    + " by the names that they give; nothing is authenticated or encrypted."
        },
        footer = {
            "",
            "When it serves it prints how to attach it, and 'crail nvmf target ready on HOST:PORT'.",
            "The name of a Linux host is in its /etc/nvme/hostnqn. Examples:",
            "  crail nvmf target --file disk.img --size 20GiB --nqn nqn.2026-11.com.example:disk"
                    + " --any-host",
            "  crail nvmf target --file /dev/nvme1n1 --nqn nqn.2026-11.com.example:disk"
                    + " --host 10.0.0.1 --allow-host nqn.2014-08.com.example:host-7"
        })
final class TargetCommand extends Command {
    /** Of the ready line. */
    private static final String ROLE = "nvmf target";

    /** Where one can listen but nobody can connect to. */
    private static final List<String> EVERYWHERE = List.of("0.0.0.0", "0:0:0:0:0:0:0:0");

    private static final List<Long> BLOCK_SIZES = List.of(512L, 4096L);

    @Option(
            names = "--file",
            paramLabel = "FILE",
            required = true,
            order = 1,
            description =
                    "File or block device to serve. A file that is not there is made, and written"
                            + " with zeros once; its directory must be there.")
    private Path file = Path.of("");

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            order = 2,
            description =
                    "Size of a new file, a multiple of 4096. Default: the size of the file or device"
                            + " that is there.")
    private @Nullable String size;

    @Option(
            names = "--nqn",
            paramLabel = "NQN",
            required = true,
            order = 3,
            description = "Name of the subsystem, such as nqn.2026-11.com.example:disk.")
    private String nqn = "";

    @Option(
            names = "--allow-host",
            paramLabel = "NQN",
            order = 4,
            description = "Name of a host that may connect; may be repeated.")
    private List<String> allowedHosts = new ArrayList<>();

    @Option(names = "--any-host", order = 5, description = "Lets every host connect.")
    private boolean anyHost;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            order = 6,
            defaultValue = "127.0.0.1",
            description = "Address to listen on. Default: ${DEFAULT-VALUE}")
    private String host = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            order = 7,
            defaultValue = "4420",
            description = "Port to listen on; 0 takes any free one. Default: ${DEFAULT-VALUE}")
    private int port;

    @Option(
            names = "--block-size",
            paramLabel = "SIZE",
            order = 8,
            defaultValue = "4096",
            description = "Logical block, 512 or 4096. Default: ${DEFAULT-VALUE}")
    private String blockSize = "";

    TargetCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        try {
            serve(request());
        } catch (CrailException e) {
            throw CommandFailure.of(e);
        }
    }

    private TargetRequest request() throws InvalidArgumentException {
        if (anyHost == !allowedHosts.isEmpty()) {
            throw new InvalidArgumentException(
                    "say who may connect: either --allow-host NQN, for each host, or --any-host");
        }
        long bytes = size == null ? 0 : bytes("--size", size);
        if (size != null && bytes == 0) {
            throw new InvalidArgumentException("--size must be more than 0");
        }
        long block = bytes("--block-size", blockSize);
        if (!BLOCK_SIZES.contains(block)) {
            throw new InvalidArgumentException(
                    "--block-size must be 512 or 4096, not " + blockSize);
        }
        return new TargetRequest(
                file.toAbsolutePath(),
                bytes,
                (int) block,
                nqn,
                anyHost,
                new LinkedHashSet<>(allowedHosts),
                listen());
    }

    private Endpoint listen() throws InvalidArgumentException {
        try {
            return new Endpoint(host, port);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--port: " + e.getMessage(), e);
        }
    }

    private static long bytes(String option, String text) throws InvalidArgumentException {
        try {
            return ByteSize.parse(text).bytes();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(option + ": " + e.getMessage(), e);
        }
    }

    private void serve(TargetRequest request) throws IOException {
        TargetLauncher launcher = Services.found(TargetLauncher.class);
        try (RunningTarget target = launcher.start(request)) {
            // A signal starts the shutdown hook, which removes leftovers: this one by closing it.
            Leftovers.Removal close = invocation.leftovers().add(target::close);
            target.warning().ifPresent(invocation::warn);
            warnOfRest(target.bytes());
            tell(request, target);
            target.awaitEnd();
            invocation.leftovers().forget(close);
        }
    }

    /** Images of disks that others have made have something of value at their ends. */
    private void warnOfRest(long served) throws IOException {
        long rest = Files.isRegularFile(file) ? Files.size(file) - served : 0;
        if (rest > 0) {
            invocation.warn(
                    "the last "
                            + rest
                            + " bytes of "
                            + file
                            + " are not served: its size is no multiple of 4096");
        }
    }

    private void tell(TargetRequest request, RunningTarget target) {
        Endpoint address = Endpoint.parse(target.address());
        String attach = attach(address);
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "address", target.address(),
                            "host", address.host(),
                            "port", address.port(),
                            "nqn", nqn,
                            "file", request.file(),
                            "bytes", target.bytes(),
                            "blockBytes", request.blockBytes(),
                            "anyHost", anyHost,
                            "allowedHosts", allowedHosts,
                            "attach", attach));
        } else {
            // First, so that it is there when the ready line is.
            invocation.out().println("attach it by: " + attach);
            invocation.out().println(ReadyLine.of(ROLE, target.address()));
        }
        invocation.out().flush();
    }

    private String attach(Endpoint address) {
        String reached =
                EVERYWHERE.contains(address.host()) ? "ADDRESS-OF-THIS-MACHINE" : address.host();
        return "nvme connect -t tcp -a " + reached + " -s " + address.port() + " -n " + nqn;
    }
}
