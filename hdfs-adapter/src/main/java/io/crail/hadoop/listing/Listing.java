// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.listing;

import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.DirectoryEntry;
import io.crail.client.LocatedEntry;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.status.CrailFileStatus;
import io.crail.hadoop.status.EntryPaths;
import io.crail.hadoop.status.Places;
import io.crail.hadoop.status.Statuses;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory, or a file that was listed as if it were one. Not thread-safe. The
 * first page is there when it is made, so that a missing directory shows at once.
 *
 * @param <E> what the client says of an entry
 * @param <S> what Hadoop is told
 */
public final class Listing<E, S extends FileStatus> implements RemoteIterator<S> {
    /** Begins to list. */
    @FunctionalInterface
    interface Pages<E> {
        CrailIterator<E> of(String path) throws CrailException;
    }

    private final String path;
    private final PathFilter filter;
    private final Function<E, S> told;
    private final @Nullable CrailIterator<E> entries;
    private @Nullable S next;

    private Listing(
            String path,
            PathFilter filter,
            Function<E, S> told,
            @Nullable CrailIterator<E> entries,
            @Nullable S next) {
        this.path = path;
        this.filter = filter;
        this.told = told;
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
    public static Listing<DirectoryEntry, CrailFileStatus> of(
            CrailClient client, Statuses statuses, String path, Path qualified, PathFilter filter)
            throws IOException {
        EntryPaths paths = statuses.entriesOf(path);
        return of(
                client,
                path,
                filter,
                client::list,
                entry -> statuses.ofEntry(entry.status(), paths, entry.name()),
                node -> statuses.of(node, qualified));
    }

    /**
     * Begins to list, with where the bytes of files lie; else as {@link #of(CrailClient, Statuses,
     * String, Path, PathFilter)}.
     */
    public static Listing<LocatedEntry, LocatedFileStatus> located(
            CrailClient client,
            Places places,
            Statuses statuses,
            String path,
            Path qualified,
            PathFilter filter)
            throws IOException {
        FilePlaces files = new FilePlaces(client, places);
        EntryPaths paths = statuses.entriesOf(path);
        return of(
                client,
                path,
                filter,
                client::listLocated,
                entry ->
                        files.located(
                                statuses.ofEntry(entry.status(), paths, entry.name()),
                                entry.locations()),
                node -> files.located(statuses.of(node, qualified), Optional.empty()));
    }

    private static <E, S extends FileStatus> Listing<E, S> of(
            CrailClient client,
            String path,
            PathFilter filter,
            Pages<E> pages,
            Function<E, S> told,
            Function<NodeStatus, S> single)
            throws IOException {
        try {
            CrailIterator<E> entries = pages.of(path);
            entries.hasNext();
            return new Listing<>(path, filter, told, entries, null);
        } catch (CrailException e) {
            if (e.code() != ErrorCode.WRONG_NODE_TYPE) {
                throw HadoopErrors.of(e, path);
            }
        }
        try {
            // A table looks like a directory, but its keys are no names.
            NodeStatus node = client.status(path);
            @Nullable S only = node.type().isContainer() ? null : single.apply(node);
            if (only != null && !filter.accept(only.getPath())) {
                only = null;
            }
            return new Listing<>(path, filter, told, null, only);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    @Override
    public boolean hasNext() throws IOException {
        CrailIterator<E> pages = entries;
        if (next == null && pages != null) {
            next = accepted(pages);
        }
        return next != null;
    }

    private @Nullable S accepted(CrailIterator<E> pages) throws IOException {
        try {
            while (pages.hasNext()) {
                S status = told.apply(pages.next());
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
    public S next() throws IOException {
        @Nullable S found = hasNext() ? next : null;
        if (found == null) {
            throw new NoSuchElementException("no more entries in " + path);
        }
        next = null;
        return found;
    }
}
