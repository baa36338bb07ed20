// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;
import org.jspecify.annotations.Nullable;

/**
 * The file system as FileContext wants it. Thread-safe.
 *
 * <p>It has no close: its client is given back when it is garbage collected, or when the JVM ends.
 */
public final class CrailFs extends DelegateToFileSystem {
    /** Called by Hadoop. */
    public CrailFs(URI uri, Configuration configuration) throws IOException, URISyntaxException {
        super(uri, new CrailFileSystem(), configuration, ConnectedFileSystem.SCHEME, false);
    }

    private CrailFileSystem fileSystem() {
        return (CrailFileSystem) fsImpl;
    }

    /** Makes parents, or demands them, in the same step. */
    @Override
    public FSDataOutputStream createInternal(
            Path path,
            EnumSet<CreateFlag> flags,
            FsPermission absolutePermission,
            int bufferSize,
            short replication,
            long blockSize,
            @Nullable Progressable progress,
            Options.@Nullable ChecksumOpt checksums,
            boolean parents)
            throws IOException {
        checkPath(path);
        return fileSystem().create(path, absolutePermission, flags, parents, checksums);
    }

    /** Replaces in one step. */
    @Override
    public void renameInternal(Path source, Path target, boolean overwrite) throws IOException {
        checkPath(source);
        checkPath(target);
        fileSystem().renameExactly(source, target, overwrite);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(Path path) throws IOException {
        checkPath(path);
        return fsImpl.listStatusIterator(path);
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
        checkPath(path);
        return fsImpl.listLocatedStatus(path);
    }

    @Override
    public void setXAttr(Path path, String name, byte[] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        checkPath(path);
        fsImpl.setXAttr(path, name, value, flags);
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        checkPath(path);
        return fsImpl.getXAttr(path, name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        checkPath(path);
        return fsImpl.getXAttrs(path);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        checkPath(path);
        return fsImpl.getXAttrs(path, names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        checkPath(path);
        return fsImpl.listXAttrs(path);
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        checkPath(path);
        fsImpl.removeXAttr(path, name);
    }

    @Override
    public void setStoragePolicy(Path path, String policy) throws IOException {
        checkPath(path);
        fsImpl.setStoragePolicy(path, policy);
    }

    @Override
    public void unsetStoragePolicy(Path path) throws IOException {
        checkPath(path);
        fsImpl.unsetStoragePolicy(path);
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
        checkPath(path);
        return fsImpl.getStoragePolicy(path);
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() throws IOException {
        return fsImpl.getAllStoragePolicies();
    }

    @Override
    public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) throws IOException {
        checkPath(base);
        return fsImpl.createMultipartUploader(base);
    }

    /** Every lookup asks the namenode: nothing can be stale. */
    @Override
    public void msync() {}
}
