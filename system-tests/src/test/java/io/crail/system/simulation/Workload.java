// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.GetResult;
import io.crail.client.PutEntry;
import io.crail.client.PutResult;
import io.crail.client.Value;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the clients do with keys and directories; files are the {@link FileWorkload}'s. */
final class Workload {
    static final int TARGETS = 3;
    private static final String TABLE = "/table";
    private static final String ONCE = "/once";

    /** Who hears one of these knows that nothing has changed. */
    static final Set<ErrorCode> NOTHING_DONE =
            EnumSet.of(ErrorCode.OUT_OF_SPACE, ErrorCode.LEASE_HELD);

    private final Cluster cluster;
    private final Journal journal;
    private final Timeline timeline;
    private final FileWorkload files;
    private final SpliceWorkload splices;
    private final Map<Long, Integer> sizes = new HashMap<>();
    private long lastId;

    Workload(Cluster cluster, Journal journal) {
        this.cluster = cluster;
        this.journal = journal;
        this.timeline = cluster.timeline();
        this.files = new FileWorkload(cluster, journal, this::nextId);
        this.splices = new SpliceWorkload(files, journal, this::nextId);
    }

    private long nextId() {
        return ++lastId;
    }

    /** Makes what the steps expect, before anything goes wrong. */
    void prepare() {
        ClientHost host = cluster.client(0);
        CrailClient client = host.client();
        journal.follow(
                "make " + TABLE,
                host,
                client.createTableAsync(TABLE, CreateOptions.DEFAULT),
                (value, cause) -> {});
        journal.follow(
                "make " + ONCE, host, client.mkdirAsync(ONCE, CreateOptions.DEFAULT), (v, c) -> {});
        files.prepare(host);
        host.poke();
    }

    /** Does a step, unless its client is down or stands still. */
    void perform(Step step) {
        ClientHost host = cluster.client(step.client());
        if (!host.isRunning()) {
            return;
        }
        try {
            switch (step.kind()) {
                case PUT -> put(host, step);
                case GET -> get(host, step.target());
                case REMOVE -> remove(host, step.target());
                case MULTI_PUT -> multiPut(host, step);
                case MULTI_GET -> multiGet(host);
                case ONCE -> once(host);
                case SPLICE -> splices.splice(host, step);
                case READ_JOINED -> splices.readJoined(host, step.target(), false);
                default -> files.perform(host, step);
            }
        } catch (CrailException e) {
            journal.violation(step + " could not begin: " + e);
        }
        host.poke();
    }

    private static CrailTable table(ClientHost host) throws CrailException {
        return host.client().table(TABLE);
    }

    private static byte[] key(int target) {
        return ("key" + target).getBytes(StandardCharsets.UTF_8);
    }

    private Register register(int target) {
        return journal.register("key" + target);
    }

    private long newValue(int size) {
        long id = nextId();
        sizes.put(id, size);
        return id;
    }

    private void put(ClientHost host, Step step) throws CrailException {
        long id = newValue(step.size());
        Register.Write write = register(step.target()).begin(id, timeline.now());
        journal.follow(
                "put " + id + " to key" + step.target(),
                host,
                table(host).putAsync(key(step.target()), Content.labelled(id, 0, step.size())),
                (version, cause) -> settle(write, cause));
    }

    private void settle(Register.Write write, @Nullable CrailException cause) {
        if (cause == null) {
            write.applied(timeline.now());
        } else if (NOTHING_DONE.contains(cause.code())) {
            write.failed();
        }
    }

    private void multiPut(ClientHost host, Step step) throws CrailException {
        List<PutEntry> entries = new ArrayList<>();
        List<Register.Write> writes = new ArrayList<>();
        for (int target = 0; target < TARGETS; target++) {
            int size = target == 0 ? step.size() : 16 + step.size() / 8;
            long id = newValue(size);
            writes.add(register(target).begin(id, timeline.now()));
            entries.add(new PutEntry(key(target), Content.labelled(id, 0, size)));
        }
        journal.follow(
                "put all keys",
                host,
                table(host).multiPutAsync(entries),
                (results, cause) -> {
                    for (int i = 0; results != null && i < results.size(); i++) {
                        settle(
                                writes.get(i),
                                results.get(i) instanceof PutResult.Failed failed
                                        ? failed.cause()
                                        : null);
                    }
                });
    }

    private void get(ClientHost host, int target) throws CrailException {
        long begun = timeline.now();
        journal.follow(
                "get key" + target,
                host,
                table(host).getAsync(key(target)),
                (value, cause) -> {
                    if (value != null) {
                        check(target, value, begun);
                    }
                });
    }

    private void multiGet(ClientHost host) throws CrailException {
        List<byte[]> keys = new ArrayList<>();
        for (int target = 0; target < TARGETS; target++) {
            keys.add(key(target));
        }
        long begun = timeline.now();
        journal.follow(
                "get all keys",
                host,
                table(host).multiGetAsync(keys),
                (results, cause) -> {
                    for (int i = 0; results != null && i < results.size(); i++) {
                        GetResult result = results.get(i);
                        if (result instanceof GetResult.Found found) {
                            check(i, Optional.of(found.content()), begun);
                        } else if (result instanceof GetResult.Absent) {
                            check(i, Optional.empty(), begun);
                        }
                    }
                });
    }

    private void check(int target, Optional<Value> seen, long begun) {
        long id = Register.ABSENT;
        if (seen.isPresent()) {
            id = Content.owner(seen.get().bytes());
            Integer size = sizes.get(id);
            if (size == null || size != seen.get().bytes().remaining()) {
                journal.violation(
                        "key"
                                + target
                                + " holds foreign or torn bytes: "
                                + seen.get().bytes().remaining()
                                + " of "
                                + id);
                return;
            }
        }
        timeline.note(id);
        if (!register(target).allows(id, begun, timeline.now())) {
            journal.violation(
                    "key" + target + " is " + id + ", which was replaced before, or never put");
        }
    }

    private void remove(ClientHost host, int target) throws CrailException {
        Register.Write write = register(target).begin(Register.ABSENT, timeline.now());
        journal.follow(
                "remove key" + target,
                host,
                table(host).removeAsync(key(target)),
                (removed, cause) -> settle(write, cause));
    }

    /** Whose outcome betrays a mutation that took effect twice. */
    private void once(ClientHost host) {
        String first = ONCE + "/first" + nextId();
        String second = first + "-renamed";
        journal.follow(
                "make " + first,
                host,
                host.client().mkdirAsync(first, CreateOptions.DEFAULT),
                (made, cause) -> {
                    mustNotBe(cause, ErrorCode.NODE_EXISTS, "made", first);
                    if (cause == null) {
                        later(host, () -> renameOnce(host, first, second));
                    }
                });
    }

    private void renameOnce(ClientHost host, String first, String second) {
        journal.follow(
                "rename " + first,
                host,
                host.client().renameAsync(first, second),
                (renamed, cause) -> {
                    mustNotBe(cause, ErrorCode.NODE_EXISTS, "renamed", first);
                    mustNotBe(cause, ErrorCode.NO_SUCH_NODE, "renamed", first);
                    if (cause == null) {
                        later(host, () -> deleteOnce(host, second));
                    }
                });
    }

    private void deleteOnce(ClientHost host, String second) {
        journal.follow(
                "delete " + second,
                host,
                host.client().deleteAsync(second, false),
                (deleted, cause) -> mustNotBe(cause, ErrorCode.NO_SUCH_NODE, "deleted", second));
    }

    private void mustNotBe(
            @Nullable CrailException cause, ErrorCode code, String what, String path) {
        if (cause != null && cause.code() == code) {
            journal.violation(path + " was " + what + " twice: " + cause);
        }
    }

    private void later(ClientHost host, Runnable next) {
        int life = host.lives();
        timeline.after(
                1,
                () -> {
                    if (host.isRunning() && host.lives() == life) {
                        next.run();
                        host.poke();
                    }
                });
    }

    /** With everything healed: what was committed is there. */
    void audit() {
        ClientHost auditor = cluster.auditor();
        for (int target = 0; target < TARGETS; target++) {
            auditKey(auditor, target);
            files.audit(auditor, target);
            splices.readJoined(auditor, target, true);
        }
        auditor.poke();
    }

    private void auditKey(ClientHost auditor, int target) {
        long begun = timeline.now();
        try {
            journal.follow(
                    "audit key" + target,
                    auditor,
                    table(auditor).getAsync(key(target)),
                    (value, cause) -> {
                        if (value != null) {
                            check(target, value, begun);
                        } else if (!cluster.isWiped()) {
                            journal.violation("key" + target + " cannot be read: " + cause);
                        }
                    });
        } catch (CrailException e) {
            journal.violation("the audit could not begin: " + e);
        }
    }

    /** Removes all there is, so that all blocks have to become free. */
    void removeAll() {
        ClientHost auditor = cluster.auditor();
        for (String path : List.of(TABLE, ONCE, FileWorkload.DIRECTORY)) {
            journal.follow(
                    "remove " + path,
                    auditor,
                    auditor.client().deleteAsync(path, true),
                    (value, cause) -> {
                        if (cause != null) {
                            journal.violation(path + " cannot be removed: " + cause);
                        }
                    });
        }
        auditor.poke();
    }
}
