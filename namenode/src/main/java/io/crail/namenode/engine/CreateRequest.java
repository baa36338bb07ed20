// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.NotEmptyException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.CreateNode;
import io.crail.namenode.state.Mutation;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.PathWalk;
import io.crail.protocol.message.Create;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes nodes. */
final class CreateRequest {
    /** Names given by hand that look like generated ones, in a row. */
    private static final int MAX_SKIPPED_NAMES = 1000;

    private final Core core;
    private final Paths paths;
    private final Placement placement;
    private final Quotas quotas;

    CreateRequest(Core core, Paths paths, Placement placement, Quotas quotas) {
        this.core = core;
        this.paths = paths;
        this.placement = placement;
        this.quotas = quotas;
    }

    void create(Request request) throws CrailException {
        create(request, Create.Request.decode(request.control()), made -> made);
    }

    /** Makes a node by the mutation that {@code made} makes of the plain one. */
    void create(Request request, Create.Request wanted, Function<CreateNode, Mutation> made)
            throws CrailException {
        checkSupported(wanted);
        PathWalk walk = paths.walk(request, wanted.path());
        if (has(wanted, Create.GENERATE_NAME)) {
            createMember(request, wanted, walk, made);
            return;
        }
        Node existing = walk.node();
        if (existing != null && has(wanted, Create.EXISTING_OK)) {
            replyExisting(request, wanted, existing);
            return;
        }
        long replaced = existing == null ? 0 : replaceable(wanted, existing);
        paths.checkObstacle(walk, wanted.path());
        ContainerNode parent = walk.parent();
        if (parent == null) {
            throw new NodeExistsException("/ exists already: it is the root");
        }
        if (walk.missing() > 1 && !has(wanted, Create.PARENTS)) {
            throw new NoSuchNodeException(
                    "the parent of "
                            + Paths.text(wanted.path())
                            + " does not exist; make it first, or ask for missing parents");
        }
        List<byte[]> names =
                existing == null
                        ? paths.missingNames(walk, wanted.path())
                        : List.of(existing.name());
        Paths.checkMember(parent, names.size() > 1 ? NodeType.DIRECTORY : wanted.nodeType());
        make(
                request,
                wanted,
                made,
                parent,
                names,
                core.state().lastNodeId() + names.size(),
                replaced);
    }

    /** A member of a MULTIFILE with a name of its own, made from its node id. */
    private void createMember(
            Request request,
            Create.Request wanted,
            PathWalk walk,
            Function<CreateNode, Mutation> made)
            throws CrailException {
        Node node = walk.node();
        if (node == null) {
            paths.checkObstacle(walk, wanted.path());
            throw paths.missing(ByteBuffer.wrap(wanted.path()));
        }
        if (!(node instanceof ContainerNode container) || node.type() != NodeType.MULTIFILE) {
            throw new WrongNodeTypeException(
                    node.path() + " is a " + node.type() + ", only a MULTIFILE names its members");
        }
        Paths.checkMember(container, wanted.nodeType());
        // Somebody may have given such a name by hand: ids are skipped until one is free.
        long id = core.state().lastNodeId() + 1;
        long last = id + MAX_SKIPPED_NAMES;
        byte[] name = generatedName(id);
        while (container.find(name) != null) {
            if (++id > last) {
                throw new NodeExistsException(
                        container.path() + " has a member " + Paths.text(name) + " already");
            }
            name = generatedName(id);
        }
        make(request, wanted, made, container, List.of(name), id, 0);
    }

    private static byte[] generatedName(long id) {
        return Create.generatedName(id).getBytes(StandardCharsets.US_ASCII);
    }

    private void make(
            Request request,
            Create.Request wanted,
            Function<CreateNode, Mutation> made,
            ContainerNode parent,
            List<byte[]> names,
            long id,
            long replaced)
            throws CrailException {
        checkRoom(core, names.size());
        quotas.checkNodes(parent, names.size() - (replaced == 0 ? 0 : 1));
        if (has(wanted, Create.SESSION_BOUND)) {
            LifeWishes.checkBinding(request.session());
        }
        Attributes attributes = attributes(request.session(), wanted, parent);
        List<GrantedBlock> grants =
                has(wanted, Create.OPEN)
                        ? grant(request.session(), parent, attributes, wanted)
                        : List.of();
        List<CreateNode.NewParent> parents = new ArrayList<>();
        for (byte[] name : names.subList(0, names.size() - 1)) {
            parents.add(new CreateNode.NewParent(id - names.size() + 1 + parents.size(), name));
        }
        CreateNode node =
                new CreateNode(
                        parent.id(),
                        parents,
                        names.get(names.size() - 1),
                        id,
                        wanted.nodeType(),
                        attributes,
                        core.millis(),
                        replaced,
                        has(wanted, Create.OPEN),
                        grants);
        core.commit(
                request,
                LifeWishes.made(
                        core,
                        made.apply(node),
                        wanted.lifetimeMillis(),
                        has(wanted, Create.SESSION_BOUND) ? request.session().id() : 0));
    }

    private List<GrantedBlock> grant(
            Session session, ContainerNode parent, Attributes attributes, Create.Request wanted)
            throws CrailException {
        long bytes =
                quotas.grantable(parent, attributes.storageClass(), wanted.bytesWanted(), Map.of());
        boolean exact = wanted.exact() || bytes < wanted.bytesWanted();
        return placement.grant(session, attributes, bytes, exact);
    }

    private static boolean has(Create.Request wanted, int flag) {
        return (wanted.flags() & flag) != 0;
    }

    private static void checkSupported(Create.Request wanted) throws CrailException {
        NodeType type = wanted.nodeType();
        if (type == NodeType.KEYVALUE) {
            throw new InvalidArgumentException(
                    "a KEYVALUE is made by putting a value into a TABLE");
        }
        if (has(wanted, Create.OPEN) && type != NodeType.FILE) {
            throw new InvalidArgumentException("only a FILE can be opened for writing");
        }
        int named = Create.OVERWRITE | Create.PARENTS | Create.EXISTING_OK;
        if (has(wanted, Create.GENERATE_NAME) && has(wanted, named)) {
            throw new InvalidArgumentException(
                    "a member that the namenode names replaces nothing and has its parent");
        }
        LifeWishes.checkLifetime(wanted.lifetimeMillis());
    }

    private void replyExisting(Request request, Create.Request wanted, Node existing)
            throws CrailException {
        if (existing.type() != wanted.nodeType()) {
            throw new NodeExistsException(existing.path() + " exists and is a " + existing.type());
        }
        if (has(wanted, Create.OPEN)) {
            throw new InvalidArgumentException(
                    "an existing file is opened by append or replaced by overwrite");
        }
        var reply = request.beginReply().i64(0);
        existing.encodeStatus(reply);
        core.state().references().grants(reply, request.session().id(), List.of());
        core.endReply(request.connection());
    }

    private static long replaceable(Create.Request wanted, Node existing) throws CrailException {
        if (existing.parent() == null) {
            throw new NodeExistsException("/ exists already: it is the root");
        }
        if (!has(wanted, Create.OVERWRITE)) {
            throw new NodeExistsException(existing.path() + " exists already");
        }
        if (existing.type() != wanted.nodeType()) {
            throw new WrongNodeTypeException(
                    "a "
                            + wanted.nodeType()
                            + " cannot replace "
                            + existing.path()
                            + ", which is a "
                            + existing.type());
        }
        if (existing instanceof ContainerNode container && container.size() > 0) {
            throw new NotEmptyException(
                    existing.path() + " has " + container.size() + " entries; remove them first");
        }
        return existing.id();
    }

    /** Counts what is removed and still to be freed, too: it takes memory until then. */
    static void checkRoom(Core core, int more) throws CrailException {
        long nodes = core.state().tree().nodes();
        if (nodes + more <= core.config().maxNodes()) {
            return;
        }
        String full =
                "the namenode holds "
                        + nodes
                        + " nodes, at most "
                        + core.config().maxNodes()
                        + " are allowed";
        if (core.state().tree().nextDetached() != null) {
            throw new BusyException(full + "; removed ones are being freed, try again");
        }
        throw new OutOfSpaceException(
                full + "; raise namenode.max_nodes and its heap, or delete nodes");
    }

    private static Attributes attributes(
            Session session, Create.Request wanted, ContainerNode parent) throws CrailException {
        return new Attributes(
                wanted.mode() & 07777,
                wanted.storageClass() == Create.INHERIT
                        ? parent.attributes().storageClass()
                        : Paths.storageClass(wanted.storageClass()),
                (wanted.flags() & Create.NO_CHECKSUMS) == 0,
                wanted.owner().isEmpty() ? session.identity().user() : wanted.owner(),
                wanted.group().isEmpty() ? session.identity().group() : wanted.group(),
                wanted.locationClass().isEmpty()
                        ? parent.attributes().locationClass()
                        : wanted.locationClass());
    }
}
