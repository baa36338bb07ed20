// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.QualifiedName;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.PropertyCommand;
import io.crail.nvmf.wire.command.QueueCounts;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A host with one association: an admin queue and I/O queues. For one thread. */
public final class TestHost implements Closeable {
    /** What a host asks for when it connects. */
    public record Options(
            boolean headerDigest,
            boolean dataDigest,
            int alignment,
            int entries,
            int attributes,
            int keepAliveMillis) {
        public static final Options PLAIN = new Options(false, false, 0, 32, 0, 0);

        public Options withDigests(boolean header, boolean data) {
            return new Options(header, data, alignment, entries, attributes, keepAliveMillis);
        }

        public Options withAlignment(int value) {
            return new Options(
                    headerDigest, dataDigest, value, entries, attributes, keepAliveMillis);
        }

        public Options withAttributes(int value) {
            return new Options(
                    headerDigest, dataDigest, alignment, entries, value, keepAliveMillis);
        }

        public Options withKeepAlive(int millis) {
            return new Options(headerDigest, dataDigest, alignment, entries, attributes, millis);
        }
    }

    public static final String SUBSYSTEM = "nqn.2026-11.io.crail:test";

    private final InetSocketAddress address;
    private final UUID id;
    private final String nqn;
    private final Options options;
    private final TestQueue admin;
    private final List<TestQueue> queues = new ArrayList<>();
    private int controllerId;

    private TestHost(InetSocketAddress address, UUID id, Options options) throws IOException {
        this.address = address;
        this.id = id;
        this.nqn = nqn(id);
        this.options = options;
        this.admin = open();
    }

    public static String nqn(UUID id) {
        return QualifiedName.ofUuid(id);
    }

    private TestQueue open() throws IOException {
        RawConnection connection = new RawConnection(address);
        connection.initialize(options.headerDigest, options.dataDigest, options.alignment);
        return new TestQueue(connection);
    }

    /** Connects the admin queue and nothing more. */
    public static TestHost associate(
            InetSocketAddress address, UUID id, Options options, String subsystem)
            throws IOException {
        TestHost host = new TestHost(address, id, options);
        Completion connected =
                host.admin.connect(
                        0,
                        options.entries,
                        options.attributes,
                        options.keepAliveMillis,
                        id,
                        ConnectData.ANY_CONTROLLER,
                        subsystem,
                        host.nqn);
        connected.expectSuccess();
        host.controllerId = ConnectCommand.controllerId(connected.result());
        return host;
    }

    /** Connects the admin queue, enables the controller and asks for I/O queues. */
    public static TestHost connect(InetSocketAddress address, UUID id, Options options)
            throws IOException {
        TestHost host = associate(address, id, options, SUBSYSTEM);
        host.enable();
        host.askForQueues(4).expectSuccess();
        return host;
    }

    /** With one I/O queue. */
    public static TestHost withQueue(InetSocketAddress address, UUID id, Options options)
            throws IOException {
        TestHost host = connect(address, id, options);
        host.openQueue(1).expectSuccess();
        return host;
    }

    public void enable() throws IOException {
        setProperty(Property.CC, ControllerConfiguration.enabled()).expectSuccess();
        assertThat(ControllerStatus.isReady((int) property(Property.CSTS))).isTrue();
    }

    public Completion setProperty(Property property, long value) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        PropertyCommand.encodeSet(
                entry, 0, admin.nextId(), property.offset(), property.size(), value);
        return admin.plain(entry);
    }

    public long property(Property property) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        PropertyCommand.encodeGet(entry, 0, admin.nextId(), property.offset(), property.size());
        return admin.plain(entry).expectSuccess().result();
    }

    public Completion askForQueues(int count) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        FeaturesCommand.encodeSet(
                entry,
                0,
                admin.nextId(),
                0,
                FeatureId.NUMBER_OF_QUEUES,
                QueueCounts.of(count, count));
        return admin.plain(entry);
    }

    /** Connects an I/O queue; it is the last of {@link #queue}. */
    public Completion openQueue(int queueId) throws IOException {
        TestQueue queue = open();
        queues.add(queue);
        return queue.connect(
                queueId, options.entries, options.attributes, 0, id, controllerId, SUBSYSTEM, nqn);
    }

    public TestQueue admin() {
        return admin;
    }

    /** The I/O queue that was connected as the {@code index}th. */
    public TestQueue queue(int index) {
        return queues.get(index);
    }

    public TestQueue queue() {
        return queues.get(0);
    }

    public int controllerId() {
        return controllerId;
    }

    public String nqn() {
        return nqn;
    }

    public UUID id() {
        return id;
    }

    /** The entry of a block command on namespace 1. */
    public ByteBuffer block(int opcode, long first, int blocks) {
        ByteBuffer entry = TestQueue.entry();
        BlockCommand.encode(entry, 0, opcode, queue().nextId(), 1, first, blocks);
        return entry;
    }

    public Completion write(long first, int blocks, byte[] data, boolean inCapsule)
            throws IOException {
        return queue().write(block(IoOpcode.WRITE, first, blocks), data, inCapsule);
    }

    public Completion read(long first, int blocks, int blockBytes) throws IOException {
        return queue().read(block(IoOpcode.READ, first, blocks), blocks * blockBytes);
    }

    public Completion flush() throws IOException {
        ByteBuffer entry = TestQueue.entry();
        BlockCommand.encodeFlush(entry, 0, queue().nextId(), 1);
        return queue().plain(entry);
    }

    @Override
    public void close() throws IOException {
        for (TestQueue each : queues) {
            each.close();
        }
        admin.close();
    }
}
