// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.measure.ProcessorTime;
import io.crail.bench.stage.Label;
import io.crail.bench.stage.Result;
import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import io.crail.client.CrailClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A row of metadata: one client in this process, further ones in processes of their own. */
record MetadataRow(MetadataSpec spec) implements LoadRow {
    /** The directory of the run, that of the row, the entry. */
    private static final int FEWEST_LEVELS = 3;

    @Override
    public String title() {
        return Wish.name(spec.operation()) + ": " + spec.setting();
    }

    @Override
    public Setting cores() {
        return spec.cores();
    }

    @Override
    public int processes() {
        return spec.processes();
    }

    @Override
    public Result measure(Arena arena, int number) throws IOException {
        Label label = spec.label();
        String directory = arena.directory() + "/" + Wish.name(spec.operation()) + "-" + number;
        try (CrailClient client = arena.servers().connect(spec.way())) {
            if (!Forced.namenode(client, spec.way())) {
                return Result.skipped(label, Forced.NO_SOCKET, ProcessorTime.load());
            }
            for (int i = FEWEST_LEVELS; i < spec.pathDepth(); i++) {
                // Not with parents: a directory of the run that has been removed stays away.
                client.mkdir(directory);
                directory += "/d";
            }
            if (spec.operation().reads()) {
                Entries.fill(client, directory, spec.entries());
            }
            return measure(arena, label, directory);
        }
    }

    private Result measure(Arena arena, Label label, String directory) throws IOException {
        boolean unixSocket = spec.way() == Servers.Way.LOCAL;
        boolean spins = spec.cores().spins(spec.processes() * spec.threads());
        List<ProcessHandle> others = new ArrayList<>(arena.servers().processes());
        List<Member> members = new ArrayList<>();
        try {
            for (int i = 0; i < spec.processes(); i++) {
                MetadataJob job =
                        new MetadataJob(spec, directory, arena.peer().door(unixSocket), spins, i);
                if (i == 0) {
                    members.add(job.join(arena.servers()));
                } else {
                    Arena.Helper helper = arena.processes().helper(i);
                    members.add(helper.join(job));
                    others.add(helper.process());
                }
            }
            return Trial.run(label, arena.pace(), members, 1, others);
        } finally {
            for (Member member : members) {
                member.close();
            }
        }
    }
}
