// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import io.crail.protocol.message.GetXattrs;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.node.Xattrs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Extended attributes as steps of calls. Stateless and thread-safe. */
final class Xattributes {
    private static final byte[] NO_BYTES = {};

    private final ClientCore core;

    Xattributes(ClientCore core) {
        this.core = core;
    }

    CompletableFuture<Boolean> set(
            Operation operation, String path, String name, byte[] value, XattrOption... options)
            throws CrailException {
        Xattrs.checkValue(name, value.length);
        int flags = 0;
        for (XattrOption option : options) {
            flags |=
                    switch (option) {
                        case CREATE -> SetXattr.CREATE;
                        case REPLACE -> SetXattr.REPLACE;
                    };
        }
        return change(operation, path, name, flags, value.clone());
    }

    CompletableFuture<Boolean> remove(Operation operation, String path, String name)
            throws CrailException {
        return change(operation, path, name, SetXattr.REMOVE, NO_BYTES);
    }

    private CompletableFuture<Boolean> change(
            Operation operation, String path, String name, int flags, byte[] value)
            throws CrailException {
        Xattrs.checkName(name);
        return Namespace.call(
                core,
                operation,
                new SetXattr.Request(Namespace.path(path), name, flags, value),
                control -> SetXattr.Reply.decode(control).existed());
    }

    CompletableFuture<Optional<byte[]>> get(Operation operation, String path, String name)
            throws CrailException {
        Xattrs.checkName(name);
        return entries(operation, path, name, 0)
                .thenApply(found -> found.stream().findFirst().map(GetXattrs.Entry::value));
    }

    CompletableFuture<Map<String, byte[]>> all(Operation operation, String path)
            throws CrailException {
        return entries(operation, path, "", 0)
                .thenApply(
                        found -> {
                            Map<String, byte[]> values = new LinkedHashMap<>();
                            found.forEach(each -> values.put(each.name(), each.value()));
                            return values;
                        });
    }

    CompletableFuture<List<String>> names(Operation operation, String path) throws CrailException {
        return entries(operation, path, "", GetXattrs.NAMES)
                .thenApply(found -> found.stream().map(GetXattrs.Entry::name).toList());
    }

    private CompletableFuture<List<GetXattrs.Entry>> entries(
            Operation operation, String path, String name, int flags) throws CrailException {
        return Namespace.call(
                core,
                operation,
                new GetXattrs.Request(Namespace.path(path), name, flags),
                control -> GetXattrs.Reply.decode(control).entries());
    }
}
