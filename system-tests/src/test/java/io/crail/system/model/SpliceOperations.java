// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.ErrorCode;
import io.crail.protocol.node.NodeType;
import io.crail.system.model.StoreModel.Node;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Joining and cutting files, and having them open meanwhile. */
final class SpliceOperations {
    private static final int MAX_OPEN = 12;

    /** A file as it was when it was opened. */
    private record Opened(int index, CrailClient client, CrailFile file, byte[] content) {}

    private final ModelRun run;
    private final List<Opened> open = new ArrayList<>();

    SpliceOperations(ModelRun run) {
        this.run = run;
    }

    void next(int dice) throws Exception {
        if (dice < 4) {
            concat();
        } else if (dice < 8) {
            truncate();
        } else if (dice < 12) {
            open();
        } else {
            readOpen();
        }
    }

    private void concat() throws Exception {
        List<String> paths = new ArrayList<>();
        for (int i = 2 + run.random.nextInt(3); i > 0; i--) {
            paths.add(run.path(NodeType.FILE));
        }
        String target = paths.get(0);
        List<String> sources = paths.subList(1, paths.size());
        if (run.change(
                "concat " + paths,
                checkConcat(paths),
                () -> run.client().concat(target, sources))) {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            for (String path : paths) {
                content.writeBytes(Objects.requireNonNull(run.model.find(path)).content);
            }
            Objects.requireNonNull(run.model.find(target)).content = content.toByteArray();
            sources.forEach(run.model::delete);
        }
    }

    private @Nullable ErrorCode checkConcat(List<String> paths) {
        for (String path : paths) {
            ErrorCode wrong = run.model.check(path, NodeType.FILE);
            if (wrong != null) {
                return wrong;
            }
        }
        boolean different = paths.stream().distinct().count() == paths.size();
        return different ? null : ErrorCode.INVALID_ARGUMENT;
    }

    private void truncate() throws Exception {
        String path = run.path(NodeType.FILE);
        ErrorCode wrong = run.model.check(path, NodeType.FILE);
        Node file = run.model.find(path);
        int now = file == null ? 0 : file.content.length;
        int length = run.random.nextInt(10) == 0 ? now + 1 : run.random.nextInt(now + 1);
        ErrorCode tooLong = length > now ? ErrorCode.OFFSET_OUT_OF_RANGE : null;
        if (run.change(
                "truncate " + path + " to " + length,
                wrong == null ? tooLong : wrong,
                () -> run.client().truncate(path, length))) {
            Node cut = Objects.requireNonNull(file);
            cut.content = Arrays.copyOf(cut.content, length);
        }
    }

    private void open() throws Exception {
        if (open.size() == MAX_OPEN) {
            open.remove(run.random.nextInt(open.size())).file.close();
        }
        String path = run.path(NodeType.FILE);
        int index = run.random.nextInt(ModelClients.COUNT);
        CrailClient client = run.clients.get(index);
        run.change(
                "open " + path,
                run.model.check(path, NodeType.FILE),
                () -> {
                    CrailFile file = client.open(path);
                    byte[] content = Objects.requireNonNull(run.model.find(path)).content;
                    open.add(new Opened(index, client, file, content.clone()));
                });
    }

    /** Whatever has become of it; but with a client its files are closed. */
    private void readOpen() throws Exception {
        open.removeIf(each -> run.clients.get(each.index) != each.client);
        if (open.isEmpty()) {
            return;
        }
        Opened one = open.get(run.random.nextInt(open.size()));
        ByteBuffer target = ByteBuffer.allocate(one.content.length);
        run.require(
                one.file.length() >= one.content.length,
                one.file.path() + ", open, has " + one.file.length());
        one.file.readFully(0, target);
        run.require(
                Arrays.equals(target.array(), one.content),
                one.file.path() + ", open, has other bytes");
    }
}
