// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.error.CancelledException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The device as fio sees it: io_uring and O_DIRECT on the same file, a process for each batch. It
 * runs on the cores of the thread that starts it, and has its data in huge pages, as the target
 * has, if there is memory for that.
 *
 * <p>Where the kernel or a container forbids io_uring, libaio is used, and the limit's name says
 * so. Not thread-safe.
 */
final class Fio {
    private static final List<String> ENGINES = List.of("io_uring", "libaio");
    private static final Duration RAMP = Duration.ofMillis(200);
    private static final Duration PROBE = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path file;
    private final long bytes;
    private final String engine;
    private final @Nullable Path memory;

    private Fio(Path file, long bytes, String engine, @Nullable Path memory) {
        this.file = file;
        this.bytes = bytes;
        this.engine = engine;
        this.memory = memory;
    }

    /**
     * What a run saw.
     *
     * @param perSecond accesses in a second
     * @param bytesPerSecond the same in bytes
     * @param medianMicros half of the accesses took no longer, from submission on
     */
    record Figures(double perSecond, double bytesPerSecond, double medianMicros) {
        static Figures parse(String json, boolean write) throws InternalException {
            // Each job has an object for its reads, and behind it one for its writes.
            int at = json.indexOf(write ? "\"write\" : {" : "\"read\" : {");
            return new Figures(
                    number(json, at, "\"iops\""),
                    number(json, at, "\"bw_bytes\""),
                    number(json, at, "\"50.000000\"") / 1e3);
        }

        private static double number(String json, int from, String name) throws InternalException {
            Matcher matcher = Pattern.compile(Pattern.quote(name) + " *: *([0-9.]+)").matcher(json);
            if (from < 0 || !matcher.find(from)) {
                throw new InternalException("fio's report has no " + name + ": " + json);
            }
            return Double.parseDouble(matcher.group(1));
        }
    }

    /**
     * Finds out how fio can use a file.
     *
     * @param memory file for its buffers, large enough for any access; null if it has its own
     * @throws InvalidArgumentException if there is no fio, or it cannot
     */
    static Fio on(Path file, long bytes, @Nullable Path memory) throws IOException {
        String said = "";
        for (String engine : ENGINES) {
            Fio fio = new Fio(file, bytes, engine, memory);
            try {
                fio.run(new Access(Access.Kind.RANDOM_READ, 4096, 1), PROBE, Duration.ZERO);
                return fio;
            } catch (InternalException e) {
                said = String.valueOf(e.getMessage());
            }
        }
        throw new InvalidArgumentException(
                "fio, which this benchmark compares with, cannot read " + file + ": " + said);
    }

    /** With the way that it takes. */
    String name() {
        return engine.equals(ENGINES.get(0)) ? "fio" : "fio by " + engine;
    }

    /** Does that for a time. */
    Figures run(Access access, Duration time) throws IOException {
        return run(access, time, RAMP);
    }

    private Figures run(Access access, Duration time, Duration ramp) throws IOException {
        Process process = start(access, time, ramp);
        try {
            process.getOutputStream().close();
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean ended = process.waitFor(PATIENCE.plus(time).toMillis(), TimeUnit.MILLISECONDS);
            if (!ended || process.exitValue() != 0) {
                throw new InternalException("fio failed: " + firstError(out));
            }
            int json = out.indexOf('{');
            return Figures.parse(out.substring(Math.max(0, json)), access.kind().isWrite());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start(Access access, Duration time, Duration ramp) throws IOException {
        try {
            return new ProcessBuilder(command(access, time, ramp))
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new InvalidArgumentException(
                    "this benchmark compares with fio, which cannot be started: install the package"
                            + " fio, or start this by bin/crail bench nvmf, which asks for it",
                    e);
        }
    }

    private List<String> command(Access access, Duration time, Duration ramp) {
        return List.of(
                "fio",
                "--name=limit",
                "--filename=" + file.toString().replace(":", "\\:"),
                "--size=" + bytes,
                memory == null ? "--mem=malloc" : "--mem=mmapshared:" + memory,
                "--allow_file_create=0",
                "--ioengine=" + engine,
                "--direct=1",
                "--rw=" + access.kind().fioName(),
                "--bs=" + access.bytes(),
                "--iodepth=" + access.depth(),
                "--norandommap",
                "--randrepeat=0",
                "--time_based",
                "--runtime=" + time.toMillis() + "ms",
                "--ramp_time=" + ramp.toMillis() + "ms",
                "--lat_percentiles=1",
                "--clat_percentiles=0",
                "--percentile_list=50",
                "--eta=never",
                "--output-format=json");
    }

    private static String firstError(String out) {
        return out.lines()
                .filter(line -> line.startsWith("fio:") || line.contains("error"))
                .findFirst()
                .orElse(out.strip());
    }
}
