// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.namenode.access.AccessCheck;
import io.crail.namenode.state.ChangeXattr;
import io.crail.namenode.tree.ExtraFields;
import io.crail.namenode.tree.Node;
import io.crail.protocol.message.GetXattrs;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.node.Xattrs;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Extended attributes. */
final class XattrRequests {
    private static final byte[] NO_BYTES = {};

    private final Core core;
    private final Paths paths;
    private final AccessCheck access;

    XattrRequests(Core core, Paths paths, AccessCheck access) {
        this.core = core;
        this.paths = paths;
        this.access = access;
    }

    void set(Request request) throws CrailException {
        SetXattr.Request wanted = SetXattr.Request.decode(request.control());
        Xattrs.checkName(wanted.name());
        Node node = paths.existing(request, wanted.path());
        byte @Nullable [] old = node.xattrs().get(wanted.name());
        boolean remove = wanted.flags() == SetXattr.REMOVE;
        if (remove && old == null) {
            request.beginReply().bool(false);
            core.endReply(request.connection());
            return;
        }
        if (!remove) {
            checkCondition(node, wanted, old != null);
            Xattrs.checkValue(wanted.name(), wanted.value().length);
            checkRoom(node, wanted, old);
        }
        core.commit(
                request,
                new ChangeXattr(
                        node.id(),
                        wanted.name(),
                        old != null,
                        remove,
                        remove ? NO_BYTES : wanted.value()));
    }

    private static void checkCondition(Node node, SetXattr.Request wanted, boolean exists)
            throws CrailException {
        switch (wanted.flags()) {
            case 0 -> {}
            case SetXattr.CREATE, SetXattr.REPLACE -> {
                if (exists == (wanted.flags() == SetXattr.CREATE)) {
                    throw new ConditionFailedException(
                            node.path()
                                    + (exists ? " has" : " has no")
                                    + " extended attribute '"
                                    + wanted.name()
                                    + "'");
                }
            }
            default ->
                    throw new InvalidArgumentException(
                            "create, replace and remove of an extended attribute exclude each"
                                    + " other");
        }
    }

    private void checkRoom(Node node, SetXattr.Request wanted, byte @Nullable [] old)
            throws OutOfSpaceException {
        int total = Xattrs.bytes(wanted.name(), wanted.value());
        for (Map.Entry<String, byte[]> each : node.xattrs().entrySet()) {
            if (!each.getKey().equals(wanted.name())) {
                total += Xattrs.bytes(each.getKey(), each.getValue());
            }
        }
        if (total > Xattrs.MAX_TOTAL) {
            throw new OutOfSpaceException(
                    node.path()
                            + " would have "
                            + total
                            + " bytes of extended attributes, at most "
                            + Xattrs.MAX_TOTAL
                            + " are allowed; remove some");
        }
        long more =
                ExtraFields.xattrBytes(wanted.name(), wanted.value())
                        - (old == null ? 0 : ExtraFields.xattrBytes(wanted.name(), old));
        long all = core.state().tree().extras().xattrBytes() + more;
        if (more > 0 && all > core.config().maxXattrBytes()) {
            throw new OutOfSpaceException(
                    "the namenode would keep "
                            + all
                            + " bytes of extended attributes, at most "
                            + core.config().maxXattrBytes()
                            + " are allowed, a sixteenth of its heap; remove some, or give it more");
        }
    }

    void get(Request request) throws CrailException {
        GetXattrs.Request wanted = GetXattrs.Request.decode(request.control());
        Node node = paths.existing(request, wanted.path());
        boolean trusted = access.isTrusted(request.session());
        boolean names = (wanted.flags() & GetXattrs.NAMES) != 0;
        List<GetXattrs.Entry> entries =
                node.xattrs().entrySet().stream()
                        .filter(each -> trusted || !each.getKey().startsWith(Xattrs.TRUSTED))
                        .filter(
                                each ->
                                        wanted.name().isEmpty()
                                                || each.getKey().equals(wanted.name()))
                        .map(
                                each ->
                                        new GetXattrs.Entry(
                                                each.getKey(), names ? NO_BYTES : each.getValue()))
                        .toList();
        new GetXattrs.Reply(entries).encode(request.beginReply());
        core.endReply(request.connection());
    }
}
