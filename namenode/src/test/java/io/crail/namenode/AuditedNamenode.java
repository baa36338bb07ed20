// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.tree.ExtentList;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Repair;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A namenode with a storage server, and all that it shows of its blocks. */
abstract class AuditedNamenode {
    static final int MIB = 1 << 20;
    static final int KIB_4 = BlockGeometry.MIN_BLOCK;

    @TempDir Path directory;
    TestNamenode namenode;
    FakeStorage storage;
    TestSession session;

    record Found(
            List<Audit.Claim> claims,
            List<Audit.Problem> problems,
            List<Audit.Mistake> mistakes,
            Audit.Reply last,
            int pages) {
        Set<List<Long>> blocks(int state) {
            Set<List<Long>> blocks = new HashSet<>();
            for (Audit.Claim claim : claims) {
                if (claim.state() == state) {
                    blocks.add(
                            List.of(
                                    (long) claim.segment(),
                                    (long) claim.record(),
                                    (long) claim.length(),
                                    claim.generation()));
                }
            }
            return blocks;
        }
    }

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = new FakeStorage(new UUID(1, 1), 1, "host");
        storage.format(0, 32 * MIB, 1);
        storage.format(1, 32 * MIB, 2);
        storage.register(namenode::connect);
        session = namenode.session("operator");
        session.setStorageClass("/", 1);
    }

    @AfterEach
    void stop() throws IOException {
        session.close();
        storage.close();
        namenode.close();
    }

    Found part(int server, int part) throws IOException {
        return part(server, part, page -> {});
    }

    Found part(int server, int part, Consumer<Integer> between) throws IOException {
        return part(session, server, part, between);
    }

    static Found part(TestSession asking, int server, int part, Consumer<Integer> between)
            throws IOException {
        List<Audit.Claim> claims = new ArrayList<>();
        List<Audit.Problem> problems = new ArrayList<>();
        List<Audit.Mistake> mistakes = new ArrayList<>();
        Audit.Position at = Audit.Position.START;
        int pages = 0;
        while (true) {
            Audit.Reply page =
                    asking.wire().call(new Audit.Request(server, part, at), Audit.Reply::decode);
            claims.addAll(page.claims());
            problems.addAll(page.problems());
            mistakes.addAll(page.mistakes());
            pages++;
            if (page.end()) {
                return new Found(claims, problems, mistakes, page, pages);
            }
            assertThat(page.next()).isNotEqualTo(at);
            at = page.next();
            between.accept(pages);
        }
    }

    void fill() throws IOException {
        session.mkdir("/d");
        session.file("/d/f", 3 * MIB + 5000);
        session.file("/d/g", 5000);
        session.table("/d/t");
        session.put("/d/t", "k", "v");
        session.write("/d/open", 300_000);
        session.grantValue("/d/t", 100_000);
    }

    /** A block that nobody has. */
    BlockId orphan(boolean committed) throws IOException {
        BlockId id = new BlockId(storage.id(), 0, 0);
        namenode.run(
                engine -> {
                    var blocks = engine.state().blocks();
                    long generation = blocks.generation(id.server(), id.segment(), id.record());
                    blocks.grant(id.server(), id.segment(), id.record(), KIB_4, (int) generation);
                    if (committed) {
                        blocks.commit(id.server(), id.segment(), id.record(), KIB_4, generation);
                    }
                });
        return id;
    }

    /** Repairs to the end; returns in how many turns of the namenode. */
    int repair(int step, long node, BlockId id, int length, long generation) throws IOException {
        Repair.Request request = new Repair.Request(step, node, id, length, generation);
        int turns = 1;
        while (session.wire().call(request, Repair.Reply::decode).more()) {
            turns++;
        }
        return turns;
    }

    void fillTree(int directories, int files) throws IOException {
        namenode.run(
                engine -> {
                    var tree = engine.state().tree();
                    var attributes = tree.root().attributes();
                    long id = 1L << 40;
                    for (int d = 0; d < directories; d++) {
                        var directory =
                                tree.newContainer(id++, NodeType.DIRECTORY, attributes, 0, 0);
                        tree.link(tree.root(), name("many", d), directory);
                        for (int f = 0; f < files; f++) {
                            var file = tree.newFile(id++, attributes, new ExtentList(), 0, 0);
                            tree.link(directory, name("f", f), file);
                        }
                    }
                });
    }

    static byte[] name(String prefix, int number) {
        return (prefix + number).getBytes(StandardCharsets.US_ASCII);
    }
}
