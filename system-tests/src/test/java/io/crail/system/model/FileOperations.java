// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.protocol.node.NodeType;
import io.crail.system.model.StoreModel.Node;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** Writing, continuing and reading files. */
final class FileOperations {
    private final ModelRun run;

    FileOperations(ModelRun run) {
        this.run = run;
    }

    void create() throws Exception {
        String path = run.random.nextBoolean() ? run.path() : run.path(NodeType.FILE);
        byte[] content = run.contentOfFile();
        int maker = run.random.nextInt(ModelClients.COUNT);
        boolean bound = run.random.nextInt(12) == 0;
        CreateOptions options = CreateOptions.builder().overwrite(true).sessionBound(bound).build();
        boolean made =
                run.change(
                        "create " + path,
                        run.model.checkCreate(path, NodeType.FILE, true),
                        () -> {
                            try (CrailOutputStream out =
                                    run.clients.get(maker).createFile(path, options)) {
                                run.write(out, content);
                            }
                        });
        if (made) {
            run.model.create(path, NodeType.FILE, content).bound = bound ? maker : -1;
        }
    }

    void append() throws Exception {
        String path = run.path(NodeType.FILE);
        byte[] more = Arrays.copyOf(run.contentOfFile(), run.random.nextInt(20_000));
        boolean done =
                run.change(
                        "append to " + path,
                        run.model.check(path, NodeType.FILE),
                        () -> {
                            try (CrailOutputStream out = run.client().append(path)) {
                                run.write(out, more);
                            }
                        });
        if (done) {
            Node file = Objects.requireNonNull(run.model.find(path));
            int before = file.content.length;
            file.content = Arrays.copyOf(file.content, before + more.length);
            System.arraycopy(more, 0, file.content, before, more.length);
        }
    }

    void readRange() throws Exception {
        String path = run.path(NodeType.FILE);
        Node file = run.model.find(path);
        run.change(
                "read " + path,
                run.model.check(path, NodeType.FILE),
                () -> {
                    try (CrailFile open = run.client().open(path)) {
                        byte[] content = Objects.requireNonNull(file).content;
                        run.require(
                                open.length() == content.length, path + " has " + open.length());
                        int from = content.length == 0 ? 0 : run.random.nextInt(content.length);
                        int size = run.random.nextInt(content.length - from + 1);
                        ByteBuffer target =
                                run.random.nextBoolean()
                                        ? ByteBuffer.allocate(size)
                                        : ByteBuffer.allocateDirect(size);
                        open.readFully(from, target);
                        run.require(
                                target.flip().equals(ByteBuffer.wrap(content, from, size)),
                                path + " differs from " + from + " on");
                    }
                });
    }
}
