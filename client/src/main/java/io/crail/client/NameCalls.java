// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import io.crail.protocol.message.NodeStatus;
import java.util.List;

/** The part of a connected client that removes, moves, joins and cuts what has a name. */
abstract class NameCalls implements CrailClient {
    final Caller caller;
    final Namespace namespace;

    NameCalls(Caller caller, Namespace namespace) {
        this.caller = caller;
        this.namespace = namespace;
    }

    @Override
    public void delete(String path, boolean recursive) throws CrailException {
        caller.call("delete ", path, op -> namespace.delete(op, path, recursive));
    }

    @Override
    public CrailFuture<Void> deleteAsync(String path, boolean recursive) {
        return caller.begin("delete ", path, op -> namespace.delete(op, path, recursive));
    }

    @Override
    public NodeStatus rename(String source, String target, RenameOption... options)
            throws CrailException {
        return caller.call(
                "rename " + source + " to " + target,
                op -> namespace.rename(op, source, target, options));
    }

    @Override
    public CrailFuture<NodeStatus> renameAsync(
            String source, String target, RenameOption... options) {
        return caller.begin(
                "rename " + source + " to " + target,
                op -> namespace.rename(op, source, target, options));
    }

    @Override
    public NodeStatus concat(String target, List<String> sources) throws CrailException {
        return caller.call("concat to ", target, op -> namespace.concat(op, target, sources));
    }

    @Override
    public CrailFuture<NodeStatus> concatAsync(String target, List<String> sources) {
        return caller.begin("concat to ", target, op -> namespace.concat(op, target, sources));
    }

    @Override
    public NodeStatus truncate(String path, long length) throws CrailException {
        return caller.call(
                "truncate " + path + " to " + length, op -> namespace.truncate(op, path, length));
    }

    @Override
    public CrailFuture<NodeStatus> truncateAsync(String path, long length) {
        return caller.begin(
                "truncate " + path + " to " + length, op -> namespace.truncate(op, path, length));
    }
}
