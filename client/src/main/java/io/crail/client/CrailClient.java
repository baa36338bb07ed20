// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.Summary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A client of one crail cluster.
 *
 * <p>Thread-safe: many threads may share one client, and interrupting one of them disturbs no
 * other. An interrupted blocking call throws {@link io.crail.error.CancelledException} with the
 * interrupt status kept. Every call has a deadline ({@link ClientConfig#deadline} unless {@link
 * #withDeadline} says otherwise) and ends with {@link io.crail.error.TimeoutException} when it
 * passes; whether a change took place is then unknown.
 *
 * <p>Buffers handed to a call belong to the client until the call returns or its future is done.
 * Paths are absolute; the rules are in {@link io.crail.protocol.node.Names}.
 */
public interface CrailClient extends AutoCloseable {
    /**
     * Connects and opens a session.
     *
     * @throws CrailException if no namenode can be reached within the configured deadline
     */
    static CrailClient connect(ClientConfig config) throws CrailException {
        return ConnectedClient.connect(config);
    }

    /** What operators do to storage servers. */
    CrailAdmin admin();

    /** A view of this client whose calls have another deadline. Closing it closes nothing. */
    CrailClient withDeadline(Duration deadline);

    /** The configuration. */
    ClientConfig config();

    /** Attributes of the node at a path; empty if there is none. */
    Optional<NodeStatus> lookup(String path) throws CrailException;

    CrailFuture<Optional<NodeStatus>> lookupAsync(String path);

    /**
     * Attributes of the node with an id ({@link NodeStatus#id}), wherever it is now; empty if it
     * was removed or replaced. Ids are never used again.
     *
     * @throws io.crail.error.AccessDeniedException if a directory on its present path may not be
     *     searched
     */
    Optional<NodeStatus> lookup(long node) throws CrailException;

    CrailFuture<Optional<NodeStatus>> lookupAsync(long node);

    /**
     * Attributes of the node at a path.
     *
     * @throws io.crail.error.NoSuchNodeException if there is none
     */
    NodeStatus status(String path) throws CrailException;

    CrailFuture<NodeStatus> statusAsync(String path);

    /** Makes a directory. */
    default NodeStatus mkdir(String path) throws CrailException {
        return mkdir(path, CreateOptions.DEFAULT);
    }

    NodeStatus mkdir(String path, CreateOptions options) throws CrailException;

    CrailFuture<NodeStatus> mkdirAsync(String path, CreateOptions options);

    /** Makes a FILE and opens it for writing. */
    default CrailOutputStream createFile(String path) throws CrailException {
        return createFile(path, CreateOptions.DEFAULT);
    }

    CrailOutputStream createFile(String path, CreateOptions options) throws CrailException;

    CrailFuture<CrailOutputStream> createFileAsync(String path, CreateOptions options);

    /**
     * Opens an existing FILE for writing at its end.
     *
     * @throws io.crail.error.LeaseHeldException if another writer has it open
     */
    CrailOutputStream append(String path) throws CrailException;

    CrailFuture<CrailOutputStream> appendAsync(String path);

    /** Opens a FILE for reading. It stays readable through the handle when it is removed. */
    CrailFile open(String path) throws CrailException;

    CrailFuture<CrailFile> openAsync(String path);

    /**
     * Opens a FILE for reading by its id ({@link NodeStatus#id}), wherever it is now. The rights
     * needed are those that opening it by its present path would need; the path is not told.
     *
     * @throws io.crail.error.NoSuchNodeException if it was removed or replaced
     */
    CrailFile open(long node) throws CrailException;

    CrailFuture<CrailFile> openAsync(long node);

    /** Makes a TABLE. */
    default CrailTable createTable(String path) throws CrailException {
        return createTable(path, CreateOptions.DEFAULT);
    }

    CrailTable createTable(String path, CreateOptions options) throws CrailException;

    CrailFuture<CrailTable> createTableAsync(String path, CreateOptions options);

    /**
     * A TABLE. No call is made: a missing table shows at the first operation.
     *
     * @throws io.crail.error.InvalidNameException if the path breaks the rules
     */
    CrailTable table(String path) throws CrailException;

    /** Makes a STREAM. */
    CrailStream createStream(String path, StreamOptions options) throws CrailException;

    CrailFuture<CrailStream> createStreamAsync(String path, StreamOptions options);

    /**
     * The STREAM at a path.
     *
     * @throws io.crail.error.WrongNodeTypeException if another type of node has the path
     */
    CrailStream stream(String path) throws CrailException;

    CrailFuture<CrailStream> streamAsync(String path);

    /**
     * Makes a MULTIFILE: a flat container of files that are written in parallel and read as one.
     */
    default CrailMultiFile createMultiFile(String path) throws CrailException {
        return createMultiFile(path, CreateOptions.DEFAULT);
    }

    CrailMultiFile createMultiFile(String path, CreateOptions options) throws CrailException;

    CrailFuture<CrailMultiFile> createMultiFileAsync(String path, CreateOptions options);

    /**
     * A MULTIFILE. No call is made: a missing one shows at the first operation.
     *
     * @throws io.crail.error.InvalidNameException if the path breaks the rules
     */
    CrailMultiFile multiFile(String path) throws CrailException;

    /**
     * Removes the node at a path; with {@code recursive} with all below it.
     *
     * @throws io.crail.error.NoSuchNodeException if there is none
     * @throws io.crail.error.NotEmptyException if it is a non-empty container, not recursive
     */
    void delete(String path, boolean recursive) throws CrailException;

    CrailFuture<Void> deleteAsync(String path, boolean recursive);

    /** Moves a node to another name, atomically; data does not move. */
    NodeStatus rename(String source, String target, RenameOption... options) throws CrailException;

    CrailFuture<NodeStatus> renameAsync(String source, String target, RenameOption... options);

    /**
     * Appends files to another one, in the order given, and removes their names: one step that
     * others see whole or not at all, and whose cost does not depend on the bytes, as none moves.
     * The target keeps its attributes. Who has one of the files open keeps what he opened.
     *
     * @param target path of a FILE
     * @param sources paths of 1 to 1,000 other FILEs, each once, all with checksums if the target
     *     has them, else all without
     * @return attributes of the target, with its new length
     * @throws io.crail.error.NoSuchNodeException if one of them does not exist
     * @throws io.crail.error.WrongNodeTypeException if one of them is not a FILE
     * @throws io.crail.error.LeaseHeldException if one of them is being written
     * @throws io.crail.error.InvalidArgumentException if they cannot be joined: a source is named
     *     twice or is the target, checksums here and none there, too many files or blocks
     * @throws io.crail.error.QuotaExceededException if the blocks do not fit where the target is
     */
    NodeStatus concat(String target, List<String> sources) throws CrailException;

    CrailFuture<NodeStatus> concatAsync(String target, List<String> sources);

    /**
     * Cuts a file. Memory behind the new end is given back when nobody reads it any more: who has
     * the file open keeps it as it was. A cut within 4 KiB of a file with checksums reads up to
     * that much, and needs the right to do so.
     *
     * @param path path of a FILE
     * @param length new length in bytes, at most the present one
     * @return attributes of the file, with its new length
     * @throws io.crail.error.NoSuchNodeException if there is none
     * @throws io.crail.error.WrongNodeTypeException if it is not a FILE
     * @throws io.crail.error.LeaseHeldException if it is being written
     * @throws io.crail.error.OffsetOutOfRangeException if it is shorter
     * @throws io.crail.error.InvalidArgumentException if the length is negative
     */
    NodeStatus truncate(String path, long length) throws CrailException;

    CrailFuture<NodeStatus> truncateAsync(String path, long length);

    /** Lists a container in order of unsigned name bytes, with attributes, page by page. */
    CrailIterator<DirectoryEntry> list(String path) throws CrailException;

    /**
     * One page of a container.
     *
     * @param after last name seen, "" = from the start
     * @param limit entries wanted; the page may hold fewer, and is empty at the end only
     */
    CrailFuture<List<DirectoryEntry>> listAsync(String path, String after, int limit);

    /**
     * As {@link #list}; the pages tell as well where the bytes of files lie, so that nothing has to
     * be asked for each file.
     */
    CrailIterator<LocatedEntry> listLocated(String path) throws CrailException;

    /** As {@link #listAsync}, with where the bytes of files lie. */
    CrailFuture<List<LocatedEntry>> listLocatedAsync(String path, String after, int limit);

    /** Changes attributes. */
    NodeStatus setAttributes(String path, AttributeChange change) throws CrailException;

    CrailFuture<NodeStatus> setAttributesAsync(String path, AttributeChange change);

    /**
     * Sets an extended attribute: a small value that a node has besides its bytes, and that moves
     * with it. Names begin with {@code user.} or {@code trusted.}; limits are in {@link
     * io.crail.protocol.node.Xattrs}.
     *
     * @return whether the node had an attribute of this name
     * @throws io.crail.error.ConditionFailedException if the option does not hold
     * @throws io.crail.error.OutOfSpaceException if the node's attributes take too much together
     */
    boolean setXattr(String path, String name, byte[] value, XattrOption... options)
            throws CrailException;

    CrailFuture<Boolean> setXattrAsync(
            String path, String name, byte[] value, XattrOption... options);

    /** An extended attribute; empty if the node has none of this name. */
    Optional<byte[]> getXattr(String path, String name) throws CrailException;

    CrailFuture<Optional<byte[]>> getXattrAsync(String path, String name);

    /** All extended attributes of a node, in order of their names. */
    Map<String, byte[]> getXattrs(String path) throws CrailException;

    CrailFuture<Map<String, byte[]>> getXattrsAsync(String path);

    /** Names of all extended attributes of a node, in order. */
    List<String> listXattrs(String path) throws CrailException;

    CrailFuture<List<String>> listXattrsAsync(String path);

    /**
     * Removes an extended attribute.
     *
     * @return whether the node had one of this name
     */
    boolean removeXattr(String path, String name) throws CrailException;

    CrailFuture<Boolean> removeXattrAsync(String path, String name);

    /**
     * Limits what may lie below a directory or table; limits that {@code quota} does not name are
     * taken away. What would exceed one is refused with {@link
     * io.crail.error.QuotaExceededException}; a limit below the use removes nothing.
     */
    void setQuota(String path, Quota quota) throws CrailException;

    CrailFuture<Void> setQuotaAsync(String path, Quota quota);

    /** The limits of a directory or table; {@link #summary} tells the use, too. */
    Quota quota(String path) throws CrailException;

    CrailFuture<Quota> quotaAsync(String path);

    /** What lies at and below a node. */
    Summary.Reply summary(String path) throws CrailException;

    CrailFuture<Summary.Reply> summaryAsync(String path);

    /** Where the bytes of a FILE lie, in order. */
    List<BlockLocation> locations(String path) throws CrailException;

    CrailFuture<List<BlockLocation>> locationsAsync(String path);

    /** The storage servers. */
    List<StorageServer> servers() throws CrailException;

    CrailFuture<List<StorageServer>> serversAsync();

    /** Counters of the namenode. */
    Statistics.Reply statistics() throws CrailException;

    CrailFuture<Statistics.Reply> statisticsAsync();

    /** Counters of this client. */
    ClientStatistics clientStatistics();

    /** Makes one round trip to the namenode that does nothing. */
    void ping() throws CrailException;

    /**
     * Ends the session and closes everything: outstanding calls fail with {@link
     * io.crail.error.ClosedException}, leases and handles are released, threads end. Waits for the
     * namenode for a bounded time only. Idempotent.
     */
    @Override
    void close();
}
