// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Retention;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.node.Names;
import io.crail.protocol.node.NodeType;
import java.util.List;

/**
 * A node is made, perhaps with parents, in place of another, or with its lease.
 *
 * @param parent deepest container that existed
 * @param parents DIRECTORY nodes made on the way, outermost first
 * @param name name of the node
 * @param node its id
 * @param nodeType DIRECTORY, FILE or TABLE
 * @param attributes its attributes, and but for the right to search those of new parents
 * @param time milliseconds since 1970
 * @param replaced id of the node that had the name, or 0
 * @param open whether the session takes the lease, under the request id as handle
 * @param grants blocks granted with the lease
 */
public record CreateNode(
        long parent,
        List<CreateNode.NewParent> parents,
        byte[] name,
        long node,
        NodeType nodeType,
        Attributes attributes,
        long time,
        long replaced,
        boolean open,
        List<GrantedBlock> grants)
        implements Mutation {
    static CreateNode decode(WireReader reader) throws ProtocolException {
        return new CreateNode(
                reader.i64(),
                Lists.decode(reader, 10, NewParent::decode),
                reader.bytes(Names.MAX_NAME),
                reader.i64(),
                NodeType.ofWire(reader.u8()),
                Attributes.decode(reader),
                reader.i64(),
                reader.i64(),
                reader.bool(),
                Lists.decode(reader, GrantedBlock.WIRE_SIZE, GrantedBlock::decode));
    }

    @Override
    public int code() {
        return RecordType.CREATE.code();
    }

    @Override
    public int replyType() {
        return MessageType.CREATE.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(parent);
        Lists.encode(writer, parents, NewParent::encode);
        writer.bytes(name);
        writer.i64(node);
        writer.u8(nodeType.wire());
        attributes.encode(writer);
        writer.i64(time);
        writer.i64(replaced);
        writer.bool(open);
        Lists.encode(writer, grants, GrantedBlock::encode);
    }

    @Override
    public void apply(State state, Origin origin) {
        apply(state, origin, Retention.ALL);
    }

    /** As {@link #apply(State, Origin)}, for a node that may be a STREAM. */
    void apply(State state, Origin origin, Retention retention) {
        if (replaced != 0) {
            state.removal().removeNamed(state.node(replaced), time);
        }
        Tree tree = state.tree();
        ContainerNode container = (ContainerNode) state.node(parent);
        Attributes ofParents = attributes.withMode(searchable(attributes.mode()));
        for (NewParent step : parents) {
            ContainerNode made =
                    tree.newContainer(step.node(), NodeType.DIRECTORY, ofParents, time, time);
            tree.link(container, step.name(), made);
            tree.setModified(container, time);
            container = made;
            state.useNodeId(step.node());
        }
        Node made =
                switch (nodeType) {
                    case FILE -> tree.newFile(node, attributes, new ExtentList(), time, time);
                    case STREAM -> tree.newStream(node, attributes, retention, time, time);
                    default -> tree.newContainer(node, nodeType, attributes, time, time);
                };
        tree.link(container, name, made);
        tree.setModified(container, time);
        state.useNodeId(node);
        if (open) {
            state.leases().take(origin, (FileNode) made, true);
            state.leases().grant(origin.session(), origin.requestId(), grants);
        }
    }

    /** Who may read a directory may enter it. */
    private static int searchable(int mode) {
        return mode | (mode & 0444) >> 2;
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        writer.i64(open ? origin.requestId() : 0);
        state.node(node).encodeStatus(writer);
        state.references().grants(writer, origin.session(), grants);
    }

    /** A DIRECTORY made on the way to the new node. */
    public record NewParent(long node, byte[] name) {
        void encode(WireWriter writer) {
            writer.i64(node).bytes(name);
        }

        static NewParent decode(WireReader reader) throws ProtocolException {
            return new NewParent(reader.i64(), reader.bytes(Names.MAX_NAME));
        }
    }
}
