// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailBatchReader;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailMultiFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.MultiReadOptions;
import io.crail.client.ReadOrder;
import io.crail.protocol.node.NodeType;
import io.crail.system.model.StoreModel.Node;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Adding members to multifiles, and reading all of them as one. */
final class MultiFileOperations {
    private final ModelRun run;

    MultiFileOperations(ModelRun run) {
        this.run = run;
    }

    void add() throws Exception {
        String path = run.path(NodeType.MULTIFILE);
        String name = run.name();
        byte[] content = run.contentOfFile();
        if (run.change(
                "add " + name + " to " + path,
                run.model.checkCreate(path + "/" + name, NodeType.FILE, false),
                () -> {
                    try (CrailOutputStream out = run.client().multiFile(path).add(name)) {
                        run.write(out, content);
                    }
                })) {
            run.model.create(path + "/" + name, NodeType.FILE, content);
        }
    }

    /** Under a name that the namenode makes: new, and behind all that it made before. */
    void addUnnamed() throws Exception {
        String path = run.path(NodeType.MULTIFILE);
        byte[] content = run.contentOfFile();
        String[] made = new String[1];
        if (run.change(
                "add to " + path,
                run.model.checkMember(path),
                () -> {
                    try (CrailOutputStream out = run.client().multiFile(path).add()) {
                        made[0] = out.path();
                        run.write(out, content);
                    }
                })) {
            Node multi = Objects.requireNonNull(run.model.find(path));
            String member = made[0];
            run.require(member.startsWith(path + "/"), member + " was made in " + path);
            String name = member.substring(path.length() + 1);
            run.require(
                    !multi.children.containsKey(name) && name.compareTo(multi.lastMade) > 0,
                    member + " was made after " + multi.lastMade);
            multi.lastMade = name;
            run.model.create(member, NodeType.FILE, content);
        }
    }

    void read() throws Exception {
        String path = run.path(NodeType.MULTIFILE);
        run.change(
                "read all of " + path,
                run.model.check(path, NodeType.MULTIFILE),
                () -> {
                    CrailMultiFile multi = run.client().multiFile(path);
                    if (run.random.nextBoolean()) {
                        readAsOne(multi);
                    } else {
                        readByPiece(multi);
                    }
                });
    }

    void readAsOne(CrailMultiFile multi) throws Exception {
        try (CrailInputStream in = multi.openStream()) {
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (Node member : members(multi).values()) {
                expected.writeBytes(member.content);
            }
            run.require(
                    Arrays.equals(in.readAllBytes(), expected.toByteArray()),
                    multi.path() + " differs");
        }
    }

    private void readByPiece(CrailMultiFile multi) throws Exception {
        Map<String, byte[]> read = new TreeMap<>();
        try (CrailBatchReader reader = multi.openReader(ReadOrder.ANY, MultiReadOptions.DEFAULT)) {
            reader.members().forEach(each -> read.put(each.name(), new byte[(int) each.length()]));
            while (reader.next()) {
                byte[] bytes = Objects.requireNonNull(read.get(reader.member().name()));
                int size = reader.bytes().remaining();
                reader.bytes().get(bytes, (int) reader.position(), size);
            }
        }
        Map<String, Node> expected = members(multi);
        run.require(
                read.keySet().equals(expected.keySet()),
                multi.path() + " has members " + read.keySet());
        expected.forEach(
                (name, member) ->
                        run.require(
                                Arrays.equals(read.get(name), member.content),
                                multi.path() + "/" + name + " differs"));
    }

    private Map<String, Node> members(CrailMultiFile multi) {
        return Objects.requireNonNull(run.model.find(multi.path())).children;
    }
}
