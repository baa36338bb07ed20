// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.bench.limit.RawStream;
import io.crail.bench.measure.WarmUp;
import io.crail.bench.stage.Batches;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Setting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A file from its beginning to its end by pieces of 1 MiB, several under way: bytes in a second.
 * Through the socket, as from another host, beside the slower one of fio and a raw stream over
 * loopback, batch by batch; and through memory shared with the target, as on its host, beside fio,
 * reads also in place, as whoever reads views of a file has them. Initiator and target have a core
 * each, and so have the ends of the raw stream: a scheduler that puts both on one of two makes
 * neither of them faster. At last both ways beside a program that moves the bytes as well, to
 * memory of its own or to another process: min(fio, raw stream) is what each can do alone.
 */
final class StreamRow implements NvmfRow {
    private static final int PIECE = 1 << 20;
    private static final int DEPTH = 8;
    private static final double TARGET = 0.9;

    /** Warm-up goes by so short parts of a batch. */
    private static final int WARM_UP_PARTS = 4;

    private final String name;
    private final Access.Kind kind;

    private StreamRow(String name, Access.Kind kind) {
        this.name = name;
        this.kind = kind;
    }

    static NvmfRow read() {
        return new StreamRow("nvmf_seqread", Access.Kind.READ);
    }

    static NvmfRow write() {
        return new StreamRow("nvmf_seqwrite", Access.Kind.WRITE);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean writes() {
        return kind.isWrite();
    }

    @Override
    public List<Result> measure(Arena arena) throws IOException {
        List<Result> results = new ArrayList<>(measureSocket(arena));
        results.addAll(measureShared(arena, "shared memory", kind));
        if (kind == Access.Kind.READ) {
            results.addAll(
                    measureShared(arena, "shared memory, in place", Access.Kind.READ_IN_PLACE));
        }
        results.addAll(measureBesideProgram(arena, true));
        results.addAll(measureBesideProgram(arena, false));
        return results;
    }

    /**
     * Beside a program that does no more than these bytes need. Both have all cores: the program is
     * this process, with threads that would have to share one.
     */
    private List<Result> measureBesideProgram(Arena arena, boolean shared) throws IOException {
        Access access = new Access(kind, PIECE, DEPTH);
        try (CopyingProgram program = arena.program(access, shared)) {
            String way = shared ? ", shared memory, all cores" : ", all cores";
            Label label =
                    new Label(
                            name,
                            "1 MiB, depth " + DEPTH + way,
                            Label.GIGABYTES,
                            program.name(),
                            null);
            long part = arena.batchNanos() / WARM_UP_PARTS;
            return measure(
                    arena,
                    new Way(kind, shared, Setting.FREE, label),
                    () -> program.run(arena.batchNanos()) / 1e9,
                    number -> program.run(part));
        }
    }

    private List<Result> measureSocket(Arena arena) throws IOException {
        Label label =
                new Label(
                        name,
                        "1 MiB, depth " + DEPTH,
                        Label.GIGABYTES,
                        "min(" + arena.fio().name() + ", raw stream)",
                        Label.Target.atLeast(TARGET));
        try (RawStream raw = new RawStream(arena.peer(), PIECE, false)) {
            long part = arena.batchNanos() / WARM_UP_PARTS;
            return measure(
                    arena,
                    new Way(kind, false, cores(), label),
                    () -> limit(arena, raw),
                    number -> stream(raw, part));
        }
    }

    private List<Result> measureShared(Arena arena, String way, Access.Kind ofWay)
            throws IOException {
        Label label =
                new Label(
                        name,
                        "1 MiB, depth " + DEPTH + ", " + way,
                        Label.GIGABYTES,
                        arena.fio().name(),
                        Label.Target.atLeast(TARGET));
        return measure(
                arena, new Way(ofWay, true, cores(), label), () -> device(arena), number -> {});
    }

    /** One each, if there are two. */
    private static Setting cores() throws IOException {
        return Setting.TWO_CORE.isPossible() ? Setting.TWO_CORE : Setting.FREE;
    }

    /**
     * How crail moves the bytes.
     *
     * @param kind of access
     * @param shared whether through memory that the target shares
     * @param setting of cores
     * @param label of the result
     */
    private record Way(Access.Kind kind, boolean shared, Setting setting, Label label) {}

    /** What the machine itself does. */
    private interface Limit {
        double gigabytes() throws IOException;
    }

    /**
     * Measures one way. Reads in place of which none was, since the target shares no memory, are no
     * result.
     *
     * @param ofLimit the part of the limit that has to become warm, too
     */
    private List<Result> measure(Arena arena, Way way, Limit limit, WarmUp.Work ofLimit)
            throws IOException {
        return arena.connected(
                new Access(way.kind, PIECE, DEPTH),
                way.shared,
                calls -> {
                    // Compilers need cores: they get them before anybody is confined.
                    arena.effort()
                            .warmUp(arena.others())
                            .run(
                                    number -> {
                                        ofLimit.run(number);
                                        calls.keepUnderWay(arena.batchNanos() / WARM_UP_PARTS);
                                    });
                    limit.gigabytes();
                    Setting.Confinement confinement =
                            way.setting.confine(List.of(ProcessHandle.current()), arena.others());
                    try {
                        Result result =
                                arena.compare(
                                        way.label,
                                        batch -> limit.gigabytes(),
                                        batch -> done(calls.keepUnderWay(arena.batchNanos())));
                        boolean is = way.kind != Access.Kind.READ_IN_PLACE || calls.inPlace() > 0;
                        return is ? List.of(result) : List.of();
                    } finally {
                        confinement.close();
                    }
                });
    }

    private double limit(Arena arena, RawStream raw) throws IOException {
        return Math.min(device(arena), stream(raw, arena.batchNanos() / 2));
    }

    private double device(Arena arena) throws IOException {
        return arena.fio()
                        .run(new Access(kind, PIECE, DEPTH), arena.effort().batchTime())
                        .bytesPerSecond()
                / 1e9;
    }

    /** Gigabytes in a second. */
    private double stream(RawStream raw, long nanos) throws IOException {
        long start = System.nanoTime();
        long pieces = raw.run(!writes(), nanos);
        return (double) pieces * PIECE / (System.nanoTime() - start);
    }

    private static Batches.Done done(Calls.Done done) {
        return new Batches.Done(done.perSecond() * PIECE / 1e9, done.count());
    }
}
