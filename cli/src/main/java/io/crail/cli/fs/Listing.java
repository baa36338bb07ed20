// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.client.TableEntry;
import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.nio.charset.StandardCharsets;

/** Walks over the entries of directories and tables alike. */
final class Listing {
    private Listing() {}

    static CrailIterator<DirectoryEntry> of(CrailClient client, String path, NodeStatus status)
            throws CrailException {
        if (status.type() != NodeType.TABLE) {
            return client.list(path);
        }
        CrailIterator<TableEntry> keys = client.table(path).scan(false);
        return new CrailIterator<>() {
            @Override
            public boolean hasNext() throws CrailException {
                return keys.hasNext();
            }

            @Override
            public DirectoryEntry next() throws CrailException {
                return entry(keys.next(), status);
            }
        };
    }

    /** A value has no owner of its own: the table's is shown. */
    private static DirectoryEntry entry(TableEntry value, NodeStatus table) {
        return new DirectoryEntry(
                new String(value.key(), StandardCharsets.UTF_8),
                new NodeStatus(
                        0,
                        NodeType.KEYVALUE,
                        0,
                        table.mode() & 0666,
                        table.storageClass(),
                        value.length(),
                        0,
                        value.modifiedMillis(),
                        value.modifiedMillis(),
                        value.modifiedMillis(),
                        value.version(),
                        -1,
                        0,
                        table.owner(),
                        table.group(),
                        table.locationClass()));
    }
}
