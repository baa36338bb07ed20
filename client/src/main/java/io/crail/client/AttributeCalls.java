// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The part of a connected client that is about attributes, extended attributes and quotas. */
abstract class AttributeCalls extends NameCalls {
    private final Xattributes xattributes;

    AttributeCalls(Caller caller, Namespace namespace, Xattributes xattributes) {
        super(caller, namespace);
        this.xattributes = xattributes;
    }

    @Override
    public NodeStatus setAttributes(String path, AttributeChange change) throws CrailException {
        return caller.call("change ", path, op -> namespace.setAttributes(op, path, change));
    }

    @Override
    public CrailFuture<NodeStatus> setAttributesAsync(String path, AttributeChange change) {
        return caller.begin("change ", path, op -> namespace.setAttributes(op, path, change));
    }

    @Override
    public boolean setXattr(String path, String name, byte[] value, XattrOption... options)
            throws CrailException {
        return caller.call(
                "set an extended attribute of ",
                path,
                op -> xattributes.set(op, path, name, value, options));
    }

    @Override
    public CrailFuture<Boolean> setXattrAsync(
            String path, String name, byte[] value, XattrOption... options) {
        return caller.begin(
                "set an extended attribute of ",
                path,
                op -> xattributes.set(op, path, name, value, options));
    }

    @Override
    public Optional<byte[]> getXattr(String path, String name) throws CrailException {
        return caller.call(
                "get an extended attribute of ", path, op -> xattributes.get(op, path, name));
    }

    @Override
    public CrailFuture<Optional<byte[]>> getXattrAsync(String path, String name) {
        return caller.begin(
                "get an extended attribute of ", path, op -> xattributes.get(op, path, name));
    }

    @Override
    public Map<String, byte[]> getXattrs(String path) throws CrailException {
        return caller.call("get extended attributes of ", path, op -> xattributes.all(op, path));
    }

    @Override
    public CrailFuture<Map<String, byte[]>> getXattrsAsync(String path) {
        return caller.begin("get extended attributes of ", path, op -> xattributes.all(op, path));
    }

    @Override
    public List<String> listXattrs(String path) throws CrailException {
        return caller.call("list extended attributes of ", path, op -> xattributes.names(op, path));
    }

    @Override
    public CrailFuture<List<String>> listXattrsAsync(String path) {
        return caller.begin(
                "list extended attributes of ", path, op -> xattributes.names(op, path));
    }

    @Override
    public boolean removeXattr(String path, String name) throws CrailException {
        return caller.call(
                "remove an extended attribute of ", path, op -> xattributes.remove(op, path, name));
    }

    @Override
    public CrailFuture<Boolean> removeXattrAsync(String path, String name) {
        return caller.begin(
                "remove an extended attribute of ", path, op -> xattributes.remove(op, path, name));
    }

    @Override
    public void setQuota(String path, Quota quota) throws CrailException {
        caller.call("set the quota of ", path, op -> namespace.setQuota(op, path, quota));
    }

    @Override
    public CrailFuture<Void> setQuotaAsync(String path, Quota quota) {
        return caller.begin("set the quota of ", path, op -> namespace.setQuota(op, path, quota));
    }

    @Override
    public Quota quota(String path) throws CrailException {
        return caller.call(
                "get the quota of ", path, op -> namespace.summary(op, path).thenApply(Quota::of));
    }

    @Override
    public CrailFuture<Quota> quotaAsync(String path) {
        return caller.begin(
                "get the quota of ", path, op -> namespace.summary(op, path).thenApply(Quota::of));
    }
}
