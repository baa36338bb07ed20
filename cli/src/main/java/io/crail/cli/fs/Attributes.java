// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.terminal.Json;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How attributes are shown. */
final class Attributes {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private Attributes() {}

    /**
     * Type and permissions as ls has them: {@code drwxr-xr-x}; m = multifile, t = table, k = value.
     */
    static String mode(NodeStatus status) {
        StringBuilder text = new StringBuilder(10);
        text.append(
                switch (status.type()) {
                    case DIRECTORY -> 'd';
                    case FILE -> '-';
                    case MULTIFILE -> 'm';
                    case TABLE -> 't';
                    case KEYVALUE -> 'k';
                    case STREAM -> 's';
                });
        String letters = "rwxrwxrwx";
        for (int i = 0; i < 9; i++) {
            text.append((status.mode() & (0400 >> i)) != 0 ? letters.charAt(i) : '-');
        }
        return text.toString();
    }

    static String type(NodeStatus status) {
        return status.type().name().toLowerCase(Locale.ROOT);
    }

    static String size(long bytes, boolean human) {
        return human ? new ByteSize(bytes).rounded() : Long.toString(bytes);
    }

    static String time(long millis) {
        return TIME.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
    }

    /** What a program gets. */
    static Map<String, @Nullable Object> json(String path, NodeStatus status) {
        Map<String, @Nullable Object> json =
                Json.object(
                        "path", path,
                        "type", type(status),
                        "id", status.id(),
                        "length", status.length(),
                        "allocated", status.allocated(),
                        "mode", String.format("%04o", status.mode()),
                        "owner", status.owner(),
                        "group", status.group(),
                        "modified", Instant.ofEpochMilli(status.modifiedMillis()).toString(),
                        "accessed", Instant.ofEpochMilli(status.accessedMillis()).toString(),
                        "created", Instant.ofEpochMilli(status.createdMillis()).toString(),
                        "version", status.version(),
                        "storageClass", status.storageClass(),
                        "locationClass", status.locationClass(),
                        "checksums", status.has(NodeStatus.CHECKSUMS),
                        "openForWriting", status.has(NodeStatus.OPEN_FOR_WRITING),
                        "sessionBound", status.has(NodeStatus.SESSION_BOUND));
        if (status.type().isContainer()) {
            json.put("children", status.children());
        }
        if (status.remainingMillis() >= 0) {
            json.put("remainingMillis", status.remainingMillis());
        }
        return json;
    }

    /** Whether entries below it have names, and so paths. */
    static boolean hasNames(NodeStatus status) {
        return isDirectory(status) || isMultiFile(status);
    }

    static boolean isMultiFile(NodeStatus status) {
        return status.type() == NodeType.MULTIFILE;
    }

    static boolean isDirectory(NodeStatus status) {
        return status.type() == NodeType.DIRECTORY;
    }
}
