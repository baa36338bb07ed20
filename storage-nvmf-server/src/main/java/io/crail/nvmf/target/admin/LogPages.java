// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import static io.crail.nvmf.wire.log.CommandEffects.CHANGES_BLOCKS;
import static io.crail.nvmf.wire.log.CommandEffects.SUPPORTED;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.status.CommandStatistics;
import io.crail.nvmf.target.status.HostStatistics;
import io.crail.nvmf.target.status.TargetCounters;
import io.crail.nvmf.target.subsystem.Controller;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.log.CommandEffects;
import io.crail.nvmf.wire.log.DiscoveryEntry;
import io.crail.nvmf.wire.log.DiscoveryHeader;
import io.crail.nvmf.wire.log.FirmwareSlots;
import io.crail.nvmf.wire.log.SmartData;
import io.crail.nvmf.wire.log.SupportedLogPages;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Log pages (NVMe Base 2.0, section 5.16.1). A page is made when it is asked for, and the part that
 * the host wants is copied out. Thread-safe.
 */
public final class LogPages {
    private static final int NAMESPACE_LIST_BYTES = 4096;
    private static final int FULL_SPARE_PERCENT = 100;

    /** Unit of data in the SMART page. */
    private static final long DATA_UNIT = 512_000;

    /** TREQ: no secure channel is required, flow control of submission queues may be left out. */
    private static final int REQUIREMENTS = 1 << 2 | 2;

    private static final int ADMIN_QUEUE_ENTRIES = 32;
    private static final int PORT_ID = 1;

    private static final List<Integer> IO_PAGES =
            List.of(
                    LogPageCommand.SUPPORTED_LOG_PAGES,
                    LogPageCommand.ERROR_INFORMATION,
                    LogPageCommand.SMART,
                    LogPageCommand.FIRMWARE_SLOTS,
                    LogPageCommand.CHANGED_NAMESPACES,
                    LogPageCommand.COMMANDS_AND_EFFECTS,
                    LogPageCommand.RESERVATION_NOTIFICATION);

    private final Subsystem subsystem;
    private final TargetCounters counters;
    private final @Nullable InetSocketAddress advertised;

    /**
     * The pages of a subsystem.
     *
     * @param advertised address that hosts are told to connect to; null = the one they reached
     */
    public LogPages(
            Subsystem subsystem, TargetCounters counters, @Nullable InetSocketAddress advertised) {
        this.subsystem = subsystem;
        this.counters = counters;
        this.advertised = advertised;
    }

    /** Eight characters that name this version. */
    static String firmware() {
        String version = LogPages.class.getPackage().getImplementationVersion();
        return version == null ? "0" : version.substring(0, Math.min(8, version.length()));
    }

    int execute(Command command, Controller controller, AdminPeer peer) {
        ByteBuffer entry = command.entry();
        ByteBuffer page = page(LogPageCommand.page(entry, 0), controller, peer);
        if (page == null) {
            return StatusCode.INVALID_LOG_PAGE.doNotRetry();
        }
        long offset = LogPageCommand.offset(entry, 0);
        if (LogPageCommand.isOffsetIndex(entry, 0)
                || offset % 4 != 0
                || Long.compareUnsigned(offset, page.capacity()) > 0) {
            return StatusCode.INVALID_FIELD.doNotRetry();
        }
        int there = (int) Math.min(command.length(), page.capacity() - offset);
        LittleEndian.zero(command.data(), 0, command.length());
        command.data().put(0, page, (int) offset, there);
        return Status.SUCCESS;
    }

    private @Nullable ByteBuffer page(int page, Controller controller, AdminPeer peer) {
        if (controller.isDiscovery()) {
            return page == LogPageCommand.DISCOVERY ? discovery(peer) : null;
        }
        return switch (page) {
            case LogPageCommand.SUPPORTED_LOG_PAGES -> supported();
            case LogPageCommand.ERROR_INFORMATION -> controller.errors().page();
            case LogPageCommand.SMART -> smart(controller);
            case LogPageCommand.FIRMWARE_SLOTS -> firmwareSlots();
            case LogPageCommand.CHANGED_NAMESPACES -> ByteBuffer.allocate(NAMESPACE_LIST_BYTES);
            case LogPageCommand.COMMANDS_AND_EFFECTS -> effects();
            case LogPageCommand.RESERVATION_NOTIFICATION -> controller.notifications().page();
            default -> null;
        };
    }

    private static ByteBuffer supported() {
        ByteBuffer page = ByteBuffer.allocate(SupportedLogPages.SIZE);
        IO_PAGES.forEach(each -> SupportedLogPages.setSupported(page, 0, each));
        return page;
    }

    private static ByteBuffer firmwareSlots() {
        ByteBuffer page = ByteBuffer.allocate(FirmwareSlots.SIZE);
        FirmwareSlots.activeSlot(page, 0, 1);
        FirmwareSlots.revision(page, 0, 1, firmware());
        return page;
    }

    /** What was read and written since the target started, by hosts that it remembers. */
    private ByteBuffer smart(Controller controller) {
        ByteBuffer page = ByteBuffer.allocate(SmartData.SIZE);
        long[] reads = sum(CommandKind.READ);
        long[] writes = sum(CommandKind.WRITE);
        SmartData.availableSpare(page, 0, FULL_SPARE_PERCENT);
        SmartData.dataUnitsRead(page, 0, (reads[1] + DATA_UNIT - 1) / DATA_UNIT);
        SmartData.dataUnitsWritten(page, 0, (writes[1] + DATA_UNIT - 1) / DATA_UNIT);
        SmartData.readCommands(page, 0, reads[0]);
        SmartData.writeCommands(page, 0, writes[0]);
        SmartData.mediaErrors(page, 0, reads[2] + writes[2]);
        SmartData.errorLogEntries(page, 0, controller.errors().count());
        return page;
    }

    private long[] sum(CommandKind kind) {
        long[] sums = new long[3];
        for (HostStatistics host : counters.hosts()) {
            CommandStatistics each = host.commands().get(kind);
            if (each != null) {
                sums[0] += each.operations();
                sums[1] += each.bytes();
                sums[2] += each.errors();
            }
        }
        return sums;
    }

    private static ByteBuffer effects() {
        ByteBuffer page = ByteBuffer.allocate(CommandEffects.SIZE);
        for (int opcode :
                new int[] {
                    AdminOpcode.GET_LOG_PAGE,
                    AdminOpcode.IDENTIFY,
                    AdminOpcode.ABORT,
                    AdminOpcode.SET_FEATURES,
                    AdminOpcode.GET_FEATURES,
                    AdminOpcode.ASYNC_EVENT_REQUEST,
                    AdminOpcode.KEEP_ALIVE
                }) {
            CommandEffects.ofAdmin(page, 0, opcode, SUPPORTED);
        }
        for (int opcode :
                new int[] {
                    IoOpcode.FLUSH,
                    IoOpcode.READ,
                    IoOpcode.COMPARE,
                    IoOpcode.DATASET_MANAGEMENT,
                    IoOpcode.RESERVATION_REGISTER,
                    IoOpcode.RESERVATION_REPORT,
                    IoOpcode.RESERVATION_ACQUIRE,
                    IoOpcode.RESERVATION_RELEASE
                }) {
            CommandEffects.ofIo(page, 0, opcode, SUPPORTED);
        }
        CommandEffects.ofIo(page, 0, IoOpcode.WRITE, SUPPORTED | CHANGES_BLOCKS);
        CommandEffects.ofIo(page, 0, IoOpcode.WRITE_ZEROES, SUPPORTED | CHANGES_BLOCKS);
        return page;
    }

    private ByteBuffer discovery(AdminPeer peer) {
        ByteBuffer page = ByteBuffer.allocate(DiscoveryHeader.SIZE + DiscoveryEntry.SIZE);
        DiscoveryHeader.generation(page, 0, 1);
        DiscoveryHeader.records(page, 0, 1);
        int at = DiscoveryHeader.SIZE;
        InetSocketAddress told = advertised == null ? peer.localAddress() : advertised;
        DiscoveryEntry.transportType(page, at, DiscoveryEntry.TRANSPORT_TCP);
        DiscoveryEntry.addressFamily(
                page,
                at,
                told.getAddress() instanceof Inet6Address
                        ? DiscoveryEntry.FAMILY_IPV6
                        : DiscoveryEntry.FAMILY_IPV4);
        DiscoveryEntry.subsystemType(page, at, DiscoveryEntry.SUBSYSTEM_NVM);
        DiscoveryEntry.requirements(page, at, REQUIREMENTS);
        DiscoveryEntry.portId(page, at, PORT_ID);
        DiscoveryEntry.controllerId(page, at, 0xFFFF);
        DiscoveryEntry.adminQueueSize(page, at, ADMIN_QUEUE_ENTRIES);
        DiscoveryEntry.serviceId(page, at, Integer.toString(told.getPort()));
        DiscoveryEntry.subsystemName(page, at, subsystem.settings().nqn());
        DiscoveryEntry.address(
                page,
                at,
                told.isUnresolved() ? told.getHostString() : told.getAddress().getHostAddress());
        return page;
    }
}
