// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import io.crail.cli.command.ExitCode;
import io.crail.cli.docs.Document;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** docs/cli.md says what the commands say. */
class CommandReferenceTest {
    private static final String INTRODUCTION =
            """
            # The crail command

            Generated from the commands; a test fails when it is stale. `crail COMMAND --help` says
            the same.

            Results go to standard output, errors and progress to standard error. An error is one
            line, `crail: WHAT: WHY; WHAT TO DO`; `-v` adds the stack. Progress and colours appear
            only on terminals, colours not with `NO_COLOR`.

            """;

    @Test
    void theReferenceIsUpToDate() throws IOException {
        StringBuilder text = new StringBuilder(INTRODUCTION);
        CommandSpec root = MainTest.tree().getCommandSpec();
        text.append("## Options of every command\n\n| option | meaning |\n|---|---|\n");
        root.options().stream()
                .filter(option -> option.scopeType() == CommandLine.ScopeType.INHERIT)
                .forEach(option -> text.append(row(option)));
        text.append("\n## Exit codes\n\n| code | meaning |\n|---:|---|\n");
        for (ExitCode code : ExitCode.values()) {
            text.append("| " + code.number() + " | " + code.meaning() + " |\n");
        }
        root.subcommands().values().forEach(command -> describe(command, text));
        Document.check("docs/cli.md", text.toString());
    }

    private static void describe(CommandLine command, StringBuilder text) {
        CommandSpec spec = command.getCommandSpec();
        boolean group = !spec.subcommands().isEmpty();
        boolean nested = spec.parent() != null && spec.parent().parent() != null;
        text.append(nested ? "\n### " : "\n## ").append(spec.qualifiedName()).append("\n\n");
        text.append(String.join(" ", spec.usageMessage().description())).append('\n');
        List<OptionSpec> own =
                spec.options().stream()
                        .filter(option -> !option.inherited() && !option.hidden())
                        .sorted(Comparator.comparingInt(OptionSpec::order))
                        .toList();
        if (!group && (!own.isEmpty() || !spec.positionalParameters().isEmpty())) {
            text.append("\n| argument | meaning |\n|---|---|\n");
            spec.positionalParameters().forEach(parameter -> text.append(row(parameter)));
            own.forEach(option -> text.append(row(option)));
        }
        text.append("\n```\n");
        List<String> footer =
                Arrays.stream(spec.usageMessage().footer()).filter(s -> !s.isEmpty()).toList();
        footer.forEach(line -> text.append(line.stripIndent().stripTrailing()).append('\n'));
        text.append("```\n");
        spec.subcommands().values().stream()
                .filter(below -> !below.getCommandSpec().usageMessage().hidden())
                .forEach(below -> describe(below, text));
    }

    private static String row(ArgSpec argument) {
        String name =
                argument instanceof OptionSpec option
                        ? String.join(", ", option.names()) + label(option)
                        : ((PositionalParamSpec) argument).paramLabel();
        String meaning = String.join(" ", argument.description());
        String value = argument.defaultValue();
        return "| `"
                + name.strip()
                + "` | "
                + meaning.replace("${DEFAULT-VALUE}", String.valueOf(value)).replace("|", "\\|")
                + " |\n";
    }

    private static String label(OptionSpec option) {
        return option.arity().max() == 0 ? "" : " " + option.paramLabel();
    }
}
