// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.AttributeChange;
import io.crail.hadoop.statistics.Operation;
import io.crail.hadoop.status.Contents;
import io.crail.hadoop.storage.StoragePolicies;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockStoragePolicySpi;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/** The part of the file system that is about what nodes have besides names and bytes. */
abstract class AttributeFileSystem extends ConnectedFileSystem {
    private static final Path ROOT = new Path("/");

    // Set by initialize, before anybody else sees the object.
    private StoragePolicies policies = StoragePolicies.of(new Configuration(false));

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        policies = StoragePolicies.of(configuration);
        super.initialize(name, configuration);
    }

    private void change(Operation operation, Path path, AttributeChange change) throws IOException {
        run(operation, path, (client, plain) -> client.setAttributes(plain, change));
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        change(Operation.SET_PERMISSION, path, AttributeChange.NONE.mode(permission.toShort()));
    }

    @Override
    public void setOwner(Path path, @Nullable String user, @Nullable String group)
            throws IOException {
        AttributeChange change = AttributeChange.NONE;
        change = user == null || user.isEmpty() ? change : change.owner(user);
        change = group == null || group.isEmpty() ? change : change.group(group);
        change(Operation.SET_OWNER, path, change);
    }

    @Override
    public void setTimes(Path path, long modified, long accessed) throws IOException {
        AttributeChange change = AttributeChange.NONE;
        change = modified < 0 ? change : change.modified(Instant.ofEpochMilli(modified));
        change = accessed < 0 ? change : change.accessed(Instant.ofEpochMilli(accessed));
        change(Operation.SET_TIMES, path, change);
    }

    @Override
    public void setXAttr(
            Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        run(
                Operation.XATTR_SET,
                path,
                (client, plain) -> new ExtendedAttributes(client).set(plain, name, value, flags));
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        return call(
                Operation.XATTR_GET_NAMED,
                path,
                (client, plain) -> new ExtendedAttributes(client).get(plain, name));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        return call(
                Operation.XATTR_GET_MAP,
                path,
                (client, plain) -> new ExtendedAttributes(client).all(plain));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        return call(
                Operation.XATTR_GET_NAMED_MAP,
                path,
                (client, plain) -> new ExtendedAttributes(client).some(plain, names));
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        return call(
                Operation.XATTR_LIST,
                path,
                (client, plain) -> new ExtendedAttributes(client).names(plain));
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        run(
                Operation.XATTR_REMOVE,
                path,
                (client, plain) -> new ExtendedAttributes(client).remove(plain, name));
    }

    @Override
    public ContentSummary getContentSummary(Path path) throws IOException {
        return call(
                Operation.GET_CONTENT_SUMMARY,
                path,
                (client, plain) -> new Contents(client).summary(plain));
    }

    @Override
    public QuotaUsage getQuotaUsage(Path path) throws IOException {
        return call(
                Operation.GET_QUOTA_USAGE,
                path,
                (client, plain) -> new Contents(client).usage(plain));
    }

    @Override
    public void setQuota(Path path, long nodes, long space) throws IOException {
        run(
                Operation.SET_QUOTA,
                path,
                (client, plain) -> new Contents(client).limit(plain, nodes, space));
    }

    @Override
    public void setQuotaByStorageType(Path path, StorageType type, long space) throws IOException {
        run(
                Operation.SET_QUOTA,
                path,
                (client, plain) -> new Contents(client).limit(plain, type, space));
    }

    @Override
    public FsStatus getStatus(@Nullable Path path) throws IOException {
        return call(Operation.GET_STATUS, ROOT, (client, plain) -> new Contents(client).status());
    }

    /** For the blocks that are written from now on. */
    @Override
    public void setStoragePolicy(Path path, String policy) throws IOException {
        change(
                Operation.SET_STORAGE_POLICY,
                path,
                AttributeChange.NONE.storageClass(policies.classOf(policy)));
    }

    /** Takes that of the directory again. */
    @Override
    public void unsetStoragePolicy(Path path) throws IOException {
        Path parent = qualified(path).getParent();
        run(
                Operation.UNSET_STORAGE_POLICY,
                path,
                (client, plain) -> {
                    int inherited =
                            parent == null ? 0 : client.status(plain(parent)).storageClass();
                    client.setAttributes(plain, AttributeChange.NONE.storageClass(inherited));
                });
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
        return call(
                Operation.GET_STORAGE_POLICY,
                path,
                (client, plain) -> policies.policyOf(client.status(plain).storageClass()));
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() {
        return policies.all();
    }
}
