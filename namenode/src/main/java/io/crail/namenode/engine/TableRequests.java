// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.inline.InlineMemory;
import io.crail.namenode.session.GrantedBlock;
import io.crail.namenode.state.PutBlocks;
import io.crail.namenode.state.PutInline;
import io.crail.namenode.state.RemoveKey;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.Scan;
import io.crail.protocol.node.Names;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys and values. */
final class TableRequests {
    private final Core core;
    private final Paths paths;
    private final CommitCheck check;
    private final Quotas quotas;
    private final GrantsAhead ahead;

    TableRequests(Core core, Paths paths, CommitCheck check, Quotas quotas, GrantsAhead ahead) {
        this.core = core;
        this.paths = paths;
        this.check = check;
        this.quotas = quotas;
        this.ahead = ahead;
    }

    /** Hot: reads path and key in place. */
    void get(Request request) throws CrailException {
        ContainerNode table = paths.table(request, request.take(Names.MAX_PATH));
        ByteBuffer key = request.take(Names.MAX_KEY);
        Node node = table.find(key, key.position(), key.remaining());
        WireWriter reply = request.beginReply();
        if (!(node instanceof KeyValueNode value)) {
            // No error: a missing key is an answer, and a missing TABLE is told apart from it.
            reply.i64(0).i64(0).i64(0).i64(0).u8(Get.ABSENT).u8(0).u16(0).u16(Extent.WIRE_SIZE);
            reply.i64(LifeWishes.FOREVER);
            core.endReply(request.connection());
            return;
        }
        reply.i64(value.id()).i64(value.version()).i64(value.length());
        reply.i64(value.modifiedMillis());
        reply.u8(value.isInline() ? Get.INLINE : Get.EXTENTS);
        reply.u8(value.attributes().checksums() ? Get.CHECKSUMS : 0);
        if (value.extents() != null) {
            core.read(value);
            core.state().references().extents(reply, request.session().id(), value.extents(), 0);
            reply.i64(value.remainingMillis());
        } else {
            reply.u16(0).u16(Extent.WIRE_SIZE).i64(value.remainingMillis());
            request.connection().beginPayload();
            core.state().inline().read(value.inlineHandle(), reply);
        }
        core.endReply(request.connection());
    }

    void put(Request request) throws CrailException {
        Put.Request wanted = Put.Request.decode(request.control());
        LifeWishes.checkLifetime(wanted.lifetimeMillis());
        Names.checkKey(wanted.key().length);
        ContainerNode table = paths.table(request, ByteBuffer.wrap(wanted.table()));
        Node old = table.find(wanted.key());
        checkCondition(table, version(old), wanted.condition(), wanted.expectedVersion());
        if (old == null) {
            CreateRequest.checkRoom(core, 1);
            quotas.checkNodes(table, 1);
        }
        switch (wanted.form()) {
            case Get.INLINE -> putInline(request, wanted, table);
            case Get.EXTENTS -> putBlocks(request, wanted, table, old);
            default -> throw new InvalidArgumentException("value form " + wanted.form());
        }
    }

    private void putInline(Request request, Put.Request wanted, ContainerNode table)
            throws CrailException {
        ByteBuffer value = request.payload();
        checkLength(core, value.remaining());
        core.checkWritable();
        State state = core.state();
        state.prepareInline(value);
        PutInline put =
                new PutInline(
                        table.id(),
                        wanted.key(),
                        state.lastNodeId() + 1,
                        state.lastVersion() + 1,
                        core.millis(),
                        value);
        core.commit(request, LifeWishes.made(core, put, wanted.lifetimeMillis(), 0));
    }

    private void putBlocks(
            Request request, Put.Request wanted, ContainerNode table, @Nullable Node old)
            throws CrailException {
        check.value(request.session().grants(), wanted.extents());
        quotas.checkCommit(table, 0, old, request.session().grants(), wanted.extents());
        Placement.checkExcluded(wanted.excludedServers());
        core.checkWritable();
        // From here on nothing fails: what is granted goes into the mutation.
        List<GrantedBlock> grants =
                ahead.spare(
                        request.session(),
                        table,
                        table.attributes(),
                        GrantsAhead.Wish.value(wanted.nextBytes(), wanted.excludedServers()));
        State state = core.state();
        PutBlocks put =
                new PutBlocks(
                        table.id(),
                        wanted.key(),
                        state.lastNodeId() + 1,
                        state.lastVersion() + 1,
                        core.millis(),
                        wanted.extents(),
                        wanted.returned(),
                        grants);
        core.commit(request, LifeWishes.made(core, put, wanted.lifetimeMillis(), 0));
    }

    static void checkLength(Core core, int length) throws InvalidArgumentException {
        if (length > core.config().inlineLimit()) {
            throw new InvalidArgumentException(
                    "inline value of "
                            + length
                            + " bytes, at most "
                            + core.config().inlineLimit()
                            + "; write larger ones to blocks");
        }
    }

    /** The version of a value, 0 = there is none: versions begin at 1. */
    private static long version(@Nullable Node value) {
        return value == null ? 0 : value.version();
    }

    static void checkCondition(ContainerNode table, long found, int condition, long expected)
            throws CrailException {
        switch (condition) {
            case Conditions.NONE -> {}
            case Conditions.IF_ABSENT -> {
                if (found != 0) {
                    throw new ConditionFailedException(
                            "the key exists in " + table.path() + ", version " + found);
                }
            }
            case Conditions.IF_VERSION -> {
                if (found == 0 || found != expected) {
                    throw new ConditionFailedException(
                            "version "
                                    + expected
                                    + " was expected in "
                                    + table.path()
                                    + ", found "
                                    + (found == 0 ? "no such key" : "" + found));
                }
            }
            default -> throw new InvalidArgumentException("condition " + condition);
        }
    }

    void remove(Request request) throws CrailException {
        Remove.Request wanted = Remove.Request.decode(request.control());
        Names.checkKey(wanted.key().length);
        ContainerNode table = paths.table(request, ByteBuffer.wrap(wanted.table()));
        Node old = table.find(wanted.key());
        if (wanted.condition() == Conditions.IF_ABSENT) {
            throw new InvalidArgumentException("a removal cannot be conditional on absence");
        }
        checkCondition(table, version(old), wanted.condition(), wanted.expectedVersion());
        if (old == null) {
            request.beginReply().bool(false);
            core.endReply(request.connection());
            return;
        }
        core.commit(request, new RemoveKey(table.id(), wanted.key()));
    }

    void scan(Request request) throws CrailException {
        Scan.Request wanted = Scan.Request.decode(request.control());
        ContainerNode table = paths.table(request, ByteBuffer.wrap(wanted.table()));
        boolean values = (wanted.flags() & Scan.VALUES) != 0;
        InlineMemory inline = core.state().inline();
        NamespaceRequests.Page page =
                new NamespaceRequests.Page(request.beginReply(), wanted.limit(), wanted.cursor());
        page.fill(
                table,
                (entry, writer) -> {
                    KeyValueNode value = (KeyValueNode) entry;
                    writer.bytes(entry.name()).i64(value.version()).i64(value.length());
                    writer.i64(value.modifiedMillis()).bool(value.isInline());
                    if (values && value.isInline()) {
                        writer.u16((int) value.length());
                        inline.read(value.inlineHandle(), writer);
                    } else {
                        writer.u16(0);
                    }
                    writer.i64(value.remainingMillis());
                });
        core.endReply(request.connection());
    }
}
