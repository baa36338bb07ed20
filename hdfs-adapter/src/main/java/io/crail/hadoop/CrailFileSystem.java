// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.content.BulkRemoval;
import io.crail.hadoop.content.Checksums;
import io.crail.hadoop.content.Joining;
import io.crail.hadoop.content.Recovery;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.listing.Listing;
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

    private Creation creation() throws IOException {
        return new Creation(client(), statistics);
    }

    private Renames renames() throws IOException {
        return new Renames(client());
    }

    @Override
    public CrailFileStatus getFileStatus(Path path) throws IOException {
        statistics.incrementReadOps(1);
        String plain = plain(path);
        try {
            return statuses().of(client().status(plain), qualified(path));
        } catch (CrailException e) {
            throw HadoopErrors.of(e, plain);
        }
    }

    @Override
    public boolean exists(Path path) throws IOException {
        statistics.incrementReadOps(1);
        String plain = plain(path);
        try {
            return client().lookup(plain).isPresent();
        } catch (CrailException e) {
            throw HadoopErrors.of(e, plain);
        }
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
        statistics.incrementReadOps(1);
        String plain = plain(path);
        try {
            return new FSDataInputStream(
                    new CrailFsInputStream(
                            client().open(plain), ReadPolicy.SEQUENTIAL, statistics));
        } catch (CrailException e) {
            throw HadoopErrors.of(e, plain);
        }
    }

    /** The status and the length that a caller knows save nothing: opening is one round trip. */
    @Override
    protected CompletableFuture<FSDataInputStream> openFileWithOptions(
            Path path, OpenFileParameters parameters) throws IOException {
        AbstractFSBuilderImpl.rejectUnknownMandatoryKeys(
                parameters.getMandatoryKeys(),
                Options.OpenFileOptions.FS_OPTION_OPENFILE_STANDARD_OPTIONS,
                "for " + path);
        statistics.incrementReadOps(1);
        ReadPolicy policy =
                ReadPolicy.of(
                        parameters
                                .getOptions()
                                .get(Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY));
        String plain = plain(path);
        return client().openAsync(plain)
                .handle(
                        (file, failure) -> {
                            if (failure != null) {
                                throw new CompletionException(translated(failure, plain));
                            }
                            return new FSDataInputStream(
                                    new CrailFsInputStream(file, policy, statistics));
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
        statistics.incrementWriteOps(1);
        return creation()
                .create(plain(path), new Creation.Wish(masked(permission), overwrite, true, null));
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
        statistics.incrementWriteOps(1);
        CreateFlag.validate(flags);
        boolean overwrite = flags.contains(CreateFlag.OVERWRITE);
        return creation()
                .byFlags(
                        plain(path),
                        flags,
                        new Creation.Wish(permission, overwrite, parents, checksums));
    }

    private FsPermission masked(@Nullable FsPermission wanted) {
        FsPermission permission = wanted == null ? FsPermission.getFileDefault() : wanted;
        return permission.applyUMask(FsPermission.getUMask(getConf()));
    }

    @Override
    public FSDataOutputStream append(Path path, int bufferSize, @Nullable Progressable progress)
            throws IOException {
        statistics.incrementWriteOps(1);
        return creation().append(plain(path));
    }

    @Override
    public boolean mkdirs(Path path, FsPermission permission) throws IOException {
        statistics.incrementWriteOps(1);
        creation().mkdir(plain(path), masked(permission), true);
        return true;
    }

    @Override
    @Deprecated
    protected boolean primitiveMkdir(Path path, FsPermission absolutePermission)
            throws IOException {
        primitiveMkdir(path, absolutePermission, true);
        return true;
    }

    @Override
    @Deprecated
    protected void primitiveMkdir(Path path, FsPermission absolutePermission, boolean parents)
            throws IOException {
        statistics.incrementWriteOps(1);
        creation().mkdir(plain(path), absolutePermission, parents);
    }

    @Override
    public boolean rename(Path source, Path target) throws IOException {
        statistics.incrementWriteOps(1);
        return renames().move(plain(source), plain(target));
    }

    @Override
    @Deprecated
    protected void rename(Path source, Path target, Options.Rename... options) throws IOException {
        renameExactly(source, target, List.of(options).contains(Options.Rename.OVERWRITE));
    }

    void renameExactly(Path source, Path target, boolean overwrite) throws IOException {
        statistics.incrementWriteOps(1);
        renames().moveExactly(plain(source), plain(target), overwrite);
    }

    /** The root stays, with all that is in it: nobody removes a whole store by a slip. */
    @Override
    public boolean delete(Path path, boolean recursive) throws IOException {
        statistics.incrementWriteOps(1);
        String plain = plain(path);
        if (plain.equals("/")) {
            if (!recursive && listStatusIterator(path).hasNext()) {
                throw new PathIsNotEmptyDirectoryException(plain);
            }
            return false;
        }
        try {
            client().delete(plain, recursive);
            return true;
        } catch (CrailException e) {
            if (e.code() == ErrorCode.NO_SUCH_NODE) {
                return false;
            }
            throw HadoopErrors.of(e, plain);
        }
    }

    private Listing<?, CrailFileStatus> listing(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return Listing.of(client(), statuses(), plain(path), qualified(path), EVERYTHING);
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
        statistics.incrementReadOps(1);
        return Listing.located(client(), places, statuses(), plain(path), qualified(path), filter);
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
        statistics.incrementReadOps(1);
        String plain = plain(path);
        try {
            CrailClient client = client();
            return places.of(client, client.locations(plain), start, length);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, plain);
        }
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
        statistics.incrementReadOps(1);
        return new FSDataInputStream(
                new CrailFsInputStream(
                        CrailPathHandle.of(handle).open(client()),
                        ReadPolicy.SEQUENTIAL,
                        statistics));
    }

    @Override
    public void concat(Path target, Path[] sources) throws IOException {
        statistics.incrementWriteOps(1);
        new Joining(client()).concat(plain(target), Stream.of(sources).map(this::plain).toList());
    }

    @Override
    public boolean truncate(Path path, long length) throws IOException {
        statistics.incrementWriteOps(1);
        new Joining(client()).truncate(plain(path), length);
        return true;
    }

    @Override
    public FileChecksum getFileChecksum(Path path, long length) throws IOException {
        statistics.incrementReadOps(1);
        return new Checksums(client()).of(plain(path), length);
    }

    @Override
    public FileChecksum getFileChecksum(Path path) throws IOException {
        return getFileChecksum(path, Long.MAX_VALUE);
    }

    @Override
    public boolean recoverLease(Path path) throws IOException {
        statistics.incrementWriteOps(1);
        return new Recovery(client()).recover(plain(path));
    }

    @Override
    public boolean isFileClosed(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new Recovery(client()).isClosed(plain(path));
    }

    @Override
    public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) {
        return new FileSystemMultipartUploaderBuilder(this, base);
    }

    @Override
    public BulkDelete createBulkDelete(Path base) throws IOException {
        return new BulkRemoval(
                client(), qualified(base), this::plain, getConf().getInt(BulkRemoval.PAGE_SIZE, 1));
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
