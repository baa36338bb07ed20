// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.listing;

import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.status.CrailFileStatus;
import io.crail.hadoop.status.Statuses;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.util.NoSuchElementException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory, or a file that was listed as if it were one. Not thread-safe. The
 * first page is there when it is made, so that a missing directory shows at once.
 */
public final class Listing implements RemoteIterator<CrailFileStatus> {
    private final Statuses statuses;
    private final String path;
    private final PathFilter filter;
    private final @Nullable CrailIterator<DirectoryEntry> entries;
    private @Nullable CrailFileStatus next;

    private Listing(
            Statuses statuses,
            String path,
            PathFilter filter,
            @Nullable CrailIterator<DirectoryEntry> entries,
            @Nullable CrailFileStatus next) {
        this.statuses = statuses;
        this.path = path;
        this.filter = filter;
        this.entries = entries;
        this.next = next;
    }

    /**
     * Begins to list.
     *
     * @param path plain path
     * @param qualified the same with scheme and authority
     * @throws java.io.FileNotFoundException if there is nothing at the path
     */
    public static Listing of(
            CrailClient client, Statuses statuses, String path, Path qualified, PathFilter filter)
            throws IOException {
        try {
            CrailIterator<DirectoryEntry> entries = client.list(path);
            entries.hasNext();
            return new Listing(statuses, path, filter, entries, null);
        } catch (CrailException e) {
            if (e.code() != ErrorCode.WRONG_NODE_TYPE) {
                throw HadoopErrors.of(e, path);
            }
        }
        try {
            // A table looks like a directory, but its keys are no names.
            NodeStatus node = client.status(path);
            @Nullable CrailFileStatus only =
                    node.type().isContainer() || !filter.accept(qualified)
                            ? null
                            : statuses.of(node, qualified);
            return new Listing(statuses, path, filter, null, only);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    @Override
    public boolean hasNext() throws IOException {
        CrailIterator<DirectoryEntry> pages = entries;
        if (next == null && pages != null) {
            next = accepted(pages);
        }
        return next != null;
    }

    private @Nullable CrailFileStatus accepted(CrailIterator<DirectoryEntry> pages)
            throws IOException {
        try {
            while (pages.hasNext()) {
                DirectoryEntry entry = pages.next();
                CrailFileStatus status = statuses.ofEntry(entry.status(), path, entry.name());
                if (filter.accept(status.getPath())) {
                    return status;
                }
            }
            return null;
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    @Override
    public CrailFileStatus next() throws IOException {
        CrailFileStatus found = hasNext() ? next : null;
        if (found == null) {
            throw new NoSuchElementException("no more entries in " + path);
        }
        next = null;
        return found;
    }
}
