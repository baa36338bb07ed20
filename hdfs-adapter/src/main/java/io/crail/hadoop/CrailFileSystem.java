// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.content.BulkRemoval;
import io.crail.hadoop.content.Checksums;
import io.crail.hadoop.content.Joining;
import io.crail.hadoop.content.Recovery;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.listing.Listing;
import io.crail.hadoop.statistics.FileSystemCounters;
import io.crail.hadoop.statistics.Operation;
import io.crail.hadoop.status.CrailFileStatus;
import io.crail.hadoop.status.CrailPathHandle;
import io.crail.hadoop.status.Places;
import io.crail.hadoop.stream.CrailFsInputStream;
import io.crail.hadoop.stream.ReadPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.impl.AbstractFSBuilderImpl;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploaderBuilder;
import org.apache.hadoop.fs.impl.OpenFileParameters;
import org.apache.hadoop.fs.impl.PathCapabilitiesSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * crail as a file system of Hadoop, {@code crail://host:port/}. Found by ServiceLoader; nothing has
 * to be configured.
 *
 * <p>Thread-safe. File systems of one JVM for the same address, user and settings share a client,
 * which is closed with the last of them. What is promised, and what is not, is in docs/hadoop.md.
 */
public final class CrailFileSystem extends AttributeFileSystem implements LeaseRecoverable {
    private static final PathFilter EVERYTHING = path -> true;

    static {
        // FileContext knows no ServiceLoader.
        Configuration.addDefaultResource("crail-default.xml");
    }

    private final Places places = new Places();

    private Creation creation(CrailClient client) {
        return new Creation(client, counters());
    }

    @Override
    public CrailFileStatus getFileStatus(Path path) throws IOException {
        return call(
                Operation.GET_FILE_STATUS,
                path,
                (client, plain) -> statuses().of(client.status(plain), qualified(path)));
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return call(Operation.EXISTS, path, (client, plain) -> client.lookup(plain).isPresent());
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        return call(
                Operation.OPEN,
                path,
                (client, plain) -> reader(client.open(plain), ReadPolicy.SEQUENTIAL));
    }

    private FSDataInputStream reader(CrailFile file, ReadPolicy policy) {
        return new FSDataInputStream(new CrailFsInputStream(file, policy, counters()));
    }

    /** The status and the length that a caller knows save nothing: opening is one round trip. */
    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(
            Path path, OpenFileParameters parameters) throws IOException {
        AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
                parameters.getMandatoryKeys(),
                Options.OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS,
                "for " + path);
        ReadPolicy policy =
                ReadPolicy.of(
                        parameters
                                .getOptions()
                                .get(Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY));
        String plain = plain(path);
        CrailClient client = client();
        FileSystemCounters.Call call = counters().begin(Operation.OPENFILE);
        return client.openAsync(plain)
                .handle(
                        (file, failure) -> {
                            if (failure != null) {
                                call.failed();
                                throw new CompletionException(translated(failure, plain));
                            }
                            call.succeeded();
                            return reader(file, policy);
                        });
    }

    private static Throwable translated(Throwable failure, String path) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof CrailException known ? HadoopErrors.of(known, path) : failure;
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            boolean overwrite,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        Creation.Wish wish = new Creation.Wish(masked(permission), overwrite, true, null);
        return call(
                Operation.CREATE, path, (client, plain) -> creation(client).create(plain, wish));
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksums)
            throws IOException {
        return create(path, masked(permission), flags, true, checksums);
    }

    @Override
    public FSDataOutputStream createNonRecursive(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress)
            throws IOException {
        return create(path, masked(permission), flags, false, null);
    }

    @Override
    @Deprecated
    protected FSDataOutputStream primitiveCreate(
            Path path,
            FsPermission absolutePermission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksums)
            throws IOException {
        return create(path, absolutePermission, flags, true, checksums);
    }

    FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            boolean parents,
            Options.@Nullable ChecksumOpt checksums)
            throws IOException {
        CreateFlag.validate(flags);
        boolean overwrite = flags.contains(CreateFlag.OVERWRITE);
        Creation.Wish wish = new Creation.Wish(permission, overwrite, parents, checksums);
        return call(
                parents ? Operation.CREATE : Operation.CREATE_NON_RECURSIVE,
                path,
                (client, plain) -> creation(client).byFlags(plain, flags, wish));
    }

    private FsPermission masked(@Nullable FsPermission wanted) {
        FsPermission permission = wanted == null ? FsPermission.getFileDefault() : wanted;
        return permission.applyUMask(FsPermission.getUMask(getConf()));
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, @Nullable Progressable progress)
            throws IOException {
        return call(Operation.APPEND, path, (client, plain) -> creation(client).append(plain));
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        makeDirectory(path, masked(permission), true);
        return true;
    }

    @Override
    @Deprecated
    protected boolean primitiveMkdir(Path path, FsPermission absolutePermission)
            throws IOException {
        makeDirectory(path, absolutePermission, true);
        return true;
    }

    @Override
    @Deprecated
    protected void primitiveMkdir(Path path, FsPermission absolutePermission, boolean parents)
            throws IOException {
        makeDirectory(path, absolutePermission, parents);
    }

    private void makeDirectory(Path path, FsPermission permission, boolean parents)
            throws IOException {
        run(
                Operation.MKDIRS,
                path,
                (client, plain) -> creation(client).mkdir(plain, permission, parents));
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        return call(
                Operation.RENAME,
                source,
                (client, plain) -> new Renames(client).move(plain, plain(target)));
    }

    @Override
    @Deprecated
    protected void rename(Path source, Path target, Options.Rename... options) throws IOException {
        renameExactly(source, target, List.of(options).contains(Options.Rename.OVERWRITE));
    }

    void renameExactly(Path source, Path target, boolean overwrite) throws IOException {
        run(
                Operation.RENAME,
                source,
                (client, plain) ->
                        new Renames(client).moveExactly(plain, plain(target), overwrite));
    }

    /** The root stays, with all that is in it: nobody removes a whole store by a slip. */
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        return call(Operation.DELETE, path, (client, plain) -> delete(client, plain, recursive));
    }

    private static boolean delete(CrailClient client, String path, boolean recursive)
            throws IOException {
        if (path.equals("/")) {
            if (!recursive && client.list(path).hasNext()) {
                throw new PathIsNotEmptyDirectoryException(path);
            }
            return false;
        }
        try {
            client.delete(path, recursive);
            return true;
        } catch (CrailException e) {
            if (e.code() == ErrorCode.NO_SUCH_NODE) {
                return false;
            }
            throw e;
        }
    }

    private Listing<?, CrailFileStatus> listing(Path path) throws IOException {
        return call(
                Operation.LIST_STATUS,
                path,
                (client, plain) ->
                        Listing.of(client, statuses(), plain, qualified(path), EVERYTHING));
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        for (Listing<?, CrailFileStatus> entries = listing(path); entries.hasNext(); ) {
            all.add(entries.next());
        }
        return all.toArray(FileStatus[]::new);
    }

    @Override
    @SuppressWarnings("unchecked") // an iterator only gives
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        return (RemoteIterator<FileStatus>) (RemoteIterator<?>) listing(path);
    }

    @Override
    protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter)
            throws IOException {
        return call(
                Operation.LIST_LOCATED_STATUS,
                path,
                (client, plain) ->
                        Listing.located(
                                client, places, statuses(), plain, qualified(path), filter));
    }

    @Override
    public BlockLocation[] getFileBlockLocations(@Nullable FileStatus file, long start, long length)
            throws IOException {
        if (file == null || file.isDirectory()) {
            return new BlockLocation[0];
        }
        return getFileBlockLocations(file.getPath(), start, length);
    }

    @Override
    public BlockLocation[] getFileBlockLocations(Path path, long start, long length)
            throws IOException {
        if (start < 0 || length < 0) {
            throw new IllegalArgumentException("Invalid start or len parameter");
        }
        return call(
                Operation.GET_FILE_BLOCK_LOCATIONS,
                path,
                (client, plain) -> places.of(client, client.locations(plain), start, length));
    }

    @Override
    protected PathHandle createPathHandle(FileStatus status, Options.HandleOpt... options) {
        if (!(status instanceof CrailFileStatus seen)) {
            throw new UnsupportedOperationException(
                    "a path handle is made of a status of this file system, not of " + status);
        }
        return CrailPathHandle.of(seen, plain(seen.getPath()), options);
    }

    @Override
    public FSDataInputStream open(PathHandle handle, int bufferSize) throws IOException {
        CrailPathHandle wanted = CrailPathHandle.of(handle);
        return call(
                Operation.OPEN,
                new Path(wanted.path()),
                (client, plain) -> reader(wanted.open(client), ReadPolicy.SEQUENTIAL));
    }

    @Override
    public void concat(Path target, Path[] sources) throws IOException {
        List<String> others = Stream.of(sources).map(this::plain).toList();
        run(Operation.CONCAT, target, (client, plain) -> new Joining(client).concat(plain, others));
    }

    @Override
    public boolean truncate(Path path, long length) throws IOException {
        run(
                Operation.TRUNCATE,
                path,
                (client, plain) -> new Joining(client).truncate(plain, length));
        return true;
    }

    @Override
    public FileChecksum getFileChecksum(Path path, long length) throws IOException {
        return call(
                Operation.GET_FILE_CHECKSUM,
                path,
                (client, plain) -> new Checksums(client).of(plain, length));
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return getFileChecksum(path, Long.MAX_VALUE);
    }

    @Override
    public boolean recoverLease(Path path) throws IOException {
        return call(
                Operation.RECOVER_LEASE,
                path,
                (client, plain) -> new Recovery(client).recover(plain));
    }

    @Override
    public boolean isFileClosed(Path path) throws IOException {
        return call(
                Operation.IS_FILE_CLOSED,
                path,
                (client, plain) -> new Recovery(client).isClosed(plain));
    }

    @Override
    public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) {
        return new FileSystemMultipartUploaderBuilder(this, base);
    }

    @Override
    public BulkDelete createBulkDelete(Path base) throws IOException {
        return new BulkRemoval(
                client(), qualified(base), this::plain, bulkRemovalSize(), counters());
    }

    /** Every lookup asks the namenode: nothing can be stale. */
    @Override
    public void msync() {}

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
        return switch (PathCapabilitiesSupport.validatePathCapabilityArgs(
                qualified(path), capability)) {
            case CommonPathCapabilities.FS_APPEND,
                    CommonPathCapabilities.FS_CHECKSUMS,
                    CommonPathCapabilities.FS_CONCAT,
                    CommonPathCapabilities.FS_PATHHANDLES,
                    CommonPathCapabilities.FS_PERMISSIONS,
                    CommonPathCapabilities.FS_STORAGEPOLICY,
                    CommonPathCapabilities.FS_TRUNCATE,
                    CommonPathCapabilities.FS_XATTRS,
                    CommonPathCapabilities.FS_MULTIPART_UPLOADER,
                    CommonPathCapabilities.ABORTABLE_STREAM,
                    CommonPathCapabilities.ETAGS_AVAILABLE,
                    CommonPathCapabilities.ETAGS_PRESERVED_IN_RENAME,
                    CommonPathCapabilities.LEASE_RECOVERABLE,
                    CommonPathCapabilities.BULK_DELETE ->
                    true;
            default -> super.hasPathCapability(path, capability);
        };
    }
}
