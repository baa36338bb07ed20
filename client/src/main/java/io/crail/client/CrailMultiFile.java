// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import java.time.Duration;

/**
 * A MULTIFILE: a flat container of files. Any number of writers, in any number of processes, add
 * members without knowing of each other; readers take all of them as one stream. Thread-safe; needs
 * no closing.
 *
 * <p>A member is a FILE at {@code path + "/" + name}, with a writer's lease, and everything that
 * goes for a FILE goes for it. A writer that dies leaves its member at the last committed length.
 *
 * <p>Reading is over the members at the time of opening: those that existed then, each up to the
 * length committed then. They stay readable when they are removed, or the whole multifile is, until
 * the reader is closed, its session ends, or the namenode's retention limit passes.
 */
public interface CrailMultiFile {
    /** Its path. */
    String path();

    /** Its attributes. */
    NodeStatus status() throws CrailException;

    CrailFuture<NodeStatus> statusAsync();

    /**
     * Adds a member under a name that the namenode makes: no other member has it or ever had it,
     * and it sorts behind all made before. {@link CrailOutputStream#path} tells it.
     */
    default CrailOutputStream add() throws CrailException {
        return add(CreateOptions.DEFAULT);
    }

    /** As {@link #add()}; the options must not ask for parents, overwriting or existing nodes. */
    CrailOutputStream add(CreateOptions options) throws CrailException;

    CrailFuture<CrailOutputStream> addAsync(CreateOptions options);

    /**
     * Adds a member.
     *
     * @throws io.crail.error.NodeExistsException if there is one of that name
     */
    default CrailOutputStream add(String name) throws CrailException {
        return add(name, CreateOptions.DEFAULT);
    }

    CrailOutputStream add(String name, CreateOptions options) throws CrailException;

    CrailFuture<CrailOutputStream> addAsync(String name, CreateOptions options);

    /** The members in order of their names, page by page. */
    CrailIterator<DirectoryEntry> list() throws CrailException;

    /** A stream over all members in order of their names. */
    default CrailInputStream openStream() throws CrailException {
        return openStream(MultiReadOptions.DEFAULT);
    }

    /** As {@link #openStream()}. Closing the stream gives the members back. */
    CrailInputStream openStream(MultiReadOptions options) throws CrailException;

    CrailFuture<CrailInputStream> openStreamAsync(MultiReadOptions options);

    /** Opens all members for reading piece by piece. */
    CrailBatchReader openReader(ReadOrder order, MultiReadOptions options) throws CrailException;

    CrailFuture<CrailBatchReader> openReaderAsync(ReadOrder order, MultiReadOptions options);

    /** Removes it with all its members: one call, whatever their number. */
    void delete() throws CrailException;

    CrailFuture<Void> deleteAsync();

    /** A view whose calls, and whose streams, have another deadline. */
    CrailMultiFile withDeadline(Duration deadline);
}
