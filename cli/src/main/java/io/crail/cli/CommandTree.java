// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.admin.AdminCommands;
import io.crail.cli.bench.BenchCommands;
import io.crail.cli.cluster.ClusterCommands;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.config.ConfigCommand;
import io.crail.cli.doctor.DoctorCommand;
import io.crail.cli.fs.FsCommands;
import io.crail.cli.fsck.FsckCommand;
import io.crail.cli.kv.KvCommands;
import io.crail.cli.nvmf.NvmfCommands;
import io.crail.cli.quickstart.QuickstartCommand;
import io.crail.cli.quota.QuotaCommands;
import io.crail.cli.secret.SecretCommands;
import io.crail.cli.server.NamenodeCommand;
import io.crail.cli.server.StorageCommand;
import io.crail.cli.stream.StreamCommands;
import io.crail.cli.top.TopCommand;
import io.crail.cli.xattr.XattrCommands;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * Builds the command tree, or the part of it that the arguments can mean: each command costs the
 * reading of its annotations, and a short command should not pay for thirty others.
 */
final class CommandTree {
    private record Group(
            Supplier<Object> maker,
            Map<String, Function<Invocation, Command>> commands,
            List<String> groups) {}

    private final Invocation invocation;
    private final List<String> arguments;

    private CommandTree(Invocation invocation, List<String> arguments) {
        this.invocation = invocation;
        this.arguments = arguments;
    }

    /** Everything, for help, completion and documentation. */
    static CommandLine whole(Invocation invocation) {
        return new CommandTree(invocation, List.of()).build();
    }

    /** What the arguments can mean. */
    static CommandLine forArguments(Invocation invocation, String[] arguments) {
        List<String> words = Arrays.asList(arguments);
        boolean help = words.contains("--help");
        return new CommandTree(invocation, help ? List.of() : words).build();
    }

    private CommandLine build() {
        CrailCommand root = new CrailCommand();
        invocation.use(root);
        CommandLine line = new CommandLine(root);
        Map<String, Supplier<Object>> makers = new LinkedHashMap<>();
        makers.put("quickstart", this::quickstart);
        makers.put("cluster", () -> group("cluster"));
        makers.put("fs", () -> group("fs"));
        makers.put("kv", () -> group("kv"));
        makers.put("stream", () -> group("stream"));
        makers.put("admin", () -> group("admin"));
        makers.put("bench", () -> group("bench"));
        makers.put("fsck", () -> new FsckCommand(invocation));
        makers.put("top", () -> new TopCommand(invocation));
        makers.put("doctor", () -> new DoctorCommand(invocation));
        makers.put("namenode", () -> new NamenodeCommand(invocation));
        makers.put("storage", () -> new StorageCommand(invocation));
        makers.put("nvmf", () -> group("nvmf"));
        makers.put("secret", () -> group("secret"));
        makers.put("config", () -> new ConfigCommand(invocation));
        makers.put("completion", () -> new CompletionCommand(invocation));
        makers.put("version", () -> new VersionCommand(invocation));
        makers.put("help", () -> new HelpCommand(invocation));
        for (String name : named(makers)) {
            line.addSubcommand(name, makers.getOrDefault(name, Object::new).get());
        }
        return line;
    }

    /** With the parts that other processes play in it, which are no commands for people. */
    private CommandLine quickstart() {
        CommandLine line = new CommandLine(new QuickstartCommand(invocation));
        QuickstartCommand.parts()
                .forEach(
                        (name, maker) -> {
                            if (arguments.contains(name)) {
                                line.addSubcommand(name, maker.apply(invocation));
                            }
                        });
        return line;
    }

    private CommandLine group(String name) {
        Group group =
                switch (name) {
                    case "cluster" ->
                            new Group(ClusterCommands::group, ClusterCommands.all(), List.of());
                    case "fs" ->
                            new Group(
                                    FsCommands::group, FsCommands.all(), List.of("xattr", "quota"));
                    case "stream" ->
                            new Group(StreamCommands::group, StreamCommands.all(), List.of());
                    case "admin" -> new Group(AdminCommands::group, AdminCommands.all(), List.of());
                    case "bench" -> new Group(BenchCommands::group, BenchCommands.all(), List.of());
                    case "quota" -> new Group(QuotaCommands::group, QuotaCommands.all(), List.of());
                    case "xattr" -> new Group(XattrCommands::group, XattrCommands.all(), List.of());
                    case "kv" -> new Group(KvCommands::group, KvCommands.all(), List.of());
                    case "nvmf" -> new Group(NvmfCommands::group, NvmfCommands.all(), List.of());
                    case "secret" ->
                            new Group(SecretCommands::group, SecretCommands.all(), List.of());
                    default -> throw new IllegalArgumentException(name);
                };
        CommandLine line = new CommandLine(group.maker.get());
        Map<String, Supplier<Object>> makers = new LinkedHashMap<>();
        group.commands.forEach((word, maker) -> makers.put(word, () -> maker.apply(invocation)));
        group.groups.forEach(word -> makers.put(word, () -> group(word)));
        for (String word : named(makers)) {
            line.addSubcommand(word, makers.getOrDefault(word, Object::new).get());
        }
        return line;
    }

    /** The commands that occur among the arguments; all if none does. */
    private List<String> named(Map<String, ?> commands) {
        List<String> named = commands.keySet().stream().filter(arguments::contains).toList();
        return named.isEmpty() ? List.copyOf(commands.keySet()) : named;
    }
}
