// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.cli.command.Command;
import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.ExitCode;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Paragraph;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine;

@CommandLine.Command(
        name = "doctor",
        description = {
            "Checks whether machine, configuration and cluster fit together, and says what to do.",
            "Works with and without a cluster; changes nothing. Run it as the user that runs the"
                    + " server or the client."
        },
        footer = {
            "",
            "Each finding is 'ok', 'warning' (works, but slower, less safely or not everywhere) or"
                    + " 'problem' (something does not work).",
            "Exit codes: 0 = no problem; 1 = at least one.",
            "",
            "Examples:",
            "  crail doctor",
            "  crail doctor --namenode nn:9060     and how this machine reaches that cluster",
            "  crail doctor -D storage.capacity=64GiB -D storage.bind.host=0.0.0.0",
            "  crail doctor --json"
        })
public final class DoctorCommand extends Command {
    private static final int WIDTH = 80;
    private static final int LEVEL = 9;
    private static final int SUBJECT = 12;

    private record Result(String subject, Finding finding) {}

    /** The command. */
    public DoctorCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        List<Result> results = new ArrayList<>();
        ExecutorService executor = Executors.newCachedThreadPool(DoctorCommand::thread);
        try {
            for (Check check : new Examination(invocation, Machine.here(), executor).checks()) {
                check.look().forEach(each -> results.add(new Result(check.subject(), each)));
            }
        } finally {
            executor.shutdownNow();
        }
        Map<Finding.Level, Integer> counts = new EnumMap<>(Finding.Level.class);
        results.forEach(result -> counts.merge(result.finding().level(), 1, Integer::sum));
        int problems = counts.getOrDefault(Finding.Level.PROBLEM, 0);
        int warnings = counts.getOrDefault(Finding.Level.WARNING, 0);
        if (invocation.json()) {
            invocation.printJson(json(results, problems, warnings));
        } else {
            results.forEach(this::print);
            invocation
                    .out()
                    .println("\n" + count(problems, "problem") + ", " + count(warnings, "warning"));
        }
        if (problems > 0) {
            throw new CommandFailure(ExitCode.FAILURE, count(problems, "problem") + " found");
        }
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "crail-doctor");
        thread.setDaemon(true);
        return thread;
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private void print(Result result) {
        Finding finding = result.finding();
        Colour colour =
                switch (finding.level()) {
                    case OK -> Colour.GOOD;
                    case WARNING -> Colour.WARNING;
                    case PROBLEM -> Colour.BAD;
                };
        String level = invocation.console().paint(colour, finding.level().word());
        String gap = " ".repeat(LEVEL - finding.level().word().length());
        String indent = " ".repeat(LEVEL + SUBJECT);
        String subject = String.format("%-" + SUBJECT + "s", result.subject());
        String start = level + gap + subject;
        for (String line : Paragraph.lines(finding.what(), WIDTH - LEVEL - SUBJECT)) {
            invocation.out().println(start + line);
            start = indent;
        }
        if (!finding.remedy().isEmpty()) {
            for (String line : Paragraph.lines("-> " + finding.remedy(), WIDTH - LEVEL - SUBJECT)) {
                invocation.out().println(indent + line);
            }
        }
    }

    private static Object json(List<Result> results, int problems, int warnings) {
        List<Object> findings = new ArrayList<>();
        for (Result result : results) {
            findings.add(
                    Json.object(
                            "check", result.subject(),
                            "level", result.finding().level().word(),
                            "what", result.finding().what(),
                            "do", result.finding().remedy()));
        }
        return Json.object(
                "ok",
                problems == 0,
                "problems",
                problems,
                "warnings",
                warnings,
                "findings",
                findings);
    }
}
