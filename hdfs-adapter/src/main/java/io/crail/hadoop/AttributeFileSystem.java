// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.AttributeChange;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.status.Contents;
import io.crail.hadoop.storage.StoragePolicies;
import io.crail.protocol.message.NodeStatus;
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
    // Set by initialize, before anybody else sees the object.
    private StoragePolicies policies = StoragePolicies.of(new Configuration(false));

    @Override
    public void initialize(URI name, Configuration configuration) throws IOException {
        policies = StoragePolicies.of(configuration);
        super.initialize(name, configuration);
    }

    private void change(Path path, AttributeChange change) throws IOException {
        statistics.incrementWriteOps(1);
        String plain = plain(path);
        try {
            client().setAttributes(plain, change);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, plain);
        }
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
        change(path, AttributeChange.NONE.mode(permission.toShort()));
    }

    @Override
    public void setOwner(Path path, @Nullable String user, @Nullable String group)
            throws IOException {
        AttributeChange change = AttributeChange.NONE;
        change = user == null || user.isEmpty() ? change : change.owner(user);
        change = group == null || group.isEmpty() ? change : change.group(group);
        change(path, change);
    }

    @Override
    public void setTimes(Path path, long modified, long accessed) throws IOException {
        AttributeChange change = AttributeChange.NONE;
        change = modified < 0 ? change : change.modified(Instant.ofEpochMilli(modified));
        change = accessed < 0 ? change : change.accessed(Instant.ofEpochMilli(accessed));
        change(path, change);
    }

    private ExtendedAttributes extendedAttributes() throws IOException {
        return new ExtendedAttributes(client());
    }

    @Override
    public void setXAttr(
            Path path, String name, byte @Nullable [] value, EnumSet<XAttrSetFlag> flags)
            throws IOException {
        statistics.incrementWriteOps(1);
        extendedAttributes().set(plain(path), name, value, flags);
    }

    @Override
    public byte[] getXAttr(Path path, String name) throws IOException {
        statistics.incrementReadOps(1);
        return extendedAttributes().get(plain(path), name);
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return extendedAttributes().all(plain(path));
    }

    @Override
    public Map<String, byte[]> getXAttrs(Path path, List<String> names) throws IOException {
        statistics.incrementReadOps(1);
        return extendedAttributes().some(plain(path), names);
    }

    @Override
    public List<String> listXAttrs(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return extendedAttributes().names(plain(path));
    }

    @Override
    public void removeXAttr(Path path, String name) throws IOException {
        statistics.incrementWriteOps(1);
        extendedAttributes().remove(plain(path), name);
    }

    @Override
    public ContentSummary getContentSummary(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new Contents(client()).summary(plain(path));
    }

    @Override
    public QuotaUsage getQuotaUsage(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new Contents(client()).usage(plain(path));
    }

    @Override
    public void setQuota(Path path, long nodes, long space) throws IOException {
        statistics.incrementWriteOps(1);
        new Contents(client()).limit(plain(path), nodes, space);
    }

    @Override
    public void setQuotaByStorageType(Path path, StorageType type, long space) throws IOException {
        statistics.incrementWriteOps(1);
        new Contents(client()).limit(plain(path), type, space);
    }

    @Override
    public FsStatus getStatus(@Nullable Path path) throws IOException {
        statistics.incrementReadOps(1);
        return new Contents(client()).status();
    }

    /** For the blocks that are written from now on. */
    @Override
    public void setStoragePolicy(Path path, String policy) throws IOException {
        change(path, AttributeChange.NONE.storageClass(policies.classOf(policy)));
    }

    /** Takes that of the directory again. */
    @Override
    public void unsetStoragePolicy(Path path) throws IOException {
        Path parent = qualified(path).getParent();
        int inherited = parent == null ? 0 : status(parent).storageClass();
        change(path, AttributeChange.NONE.storageClass(inherited));
    }

    @Override
    public BlockStoragePolicySpi getStoragePolicy(Path path) throws IOException {
        statistics.incrementReadOps(1);
        return policies.policyOf(status(path).storageClass());
    }

    @Override
    public Collection<? extends BlockStoragePolicySpi> getAllStoragePolicies() {
        return policies.all();
    }

    private NodeStatus status(Path path) throws IOException {
        String plain = plain(path);
        try {
            return client().status(plain);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, plain);
        }
    }
}
