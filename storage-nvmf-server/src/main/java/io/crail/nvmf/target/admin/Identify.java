// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.target.subsystem.Controller;
import io.crail.nvmf.target.subsystem.ErrorLog;
import io.crail.nvmf.target.subsystem.Namespace;
import io.crail.nvmf.target.subsystem.Registers;
import io.crail.nvmf.target.subsystem.Subsystem;
import io.crail.nvmf.target.subsystem.SubsystemSettings;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.QualifiedName;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.identify.LocalSocketField;
import io.crail.nvmf.wire.identify.NamespaceData;
import io.crail.nvmf.wire.identify.NamespaceDescriptor;
import io.crail.nvmf.wire.identify.NamespaceList;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Identify (NVMe Base 2.0, section 5.17): structures 0, 1, 2 and 3. */
final class Identify {
    static final String MODEL = "crail";

    private static final int ENTRY_SIZES_SUBMISSION = 0x66;
    private static final int ENTRY_SIZES_COMPLETION = 0x44;

    /** CMIC: the subsystem may have several controllers. */
    private static final int SEVERAL_CONTROLLERS = 1 << 1;

    /** CTRATT: host identifiers of 128 bits. */
    private static final int HOST_ID_128 = 1;

    /** CTRATT: every command counts as keep-alive. */
    private static final int TRAFFIC_KEEPS_ALIVE = 1 << 6;

    /** KAS, in units of 100 ms. */
    private static final int KEEP_ALIVE_UNITS = 10;

    /** LPA: the page of commands and effects. */
    private static final int EFFECTS_LOG_PAGE = 1 << 1;

    /** LPA: offsets and long lengths. */
    private static final int EXTENDED_LOG_PAGES = 1 << 2;

    /** FRMW: one slot, read-only. */
    private static final int ONE_FIRMWARE_SLOT = 1 << 1 | 1;

    /** VWC: there is one, and Flush of all namespaces works. */
    private static final int WRITE_CACHE = 1 | 3 << 1;

    /** OFCS. */
    private static final int SUPPORTS_DISCONNECT = 1;

    /** NMIC: several controllers may have the namespace. */
    private static final int SHARED = 1;

    private static final int CAPSULE_UNIT = 16;

    /** Ids from here on stand for something else than a namespace. */
    private static final int FIRST_SPECIAL_ID = 0xFFFF_FFFE;

    private final Subsystem subsystem;
    private final Controller controller;
    private final AdminPeer peer;

    Identify(Subsystem subsystem, Controller controller, AdminPeer peer) {
        this.subsystem = subsystem;
        this.controller = controller;
        this.peer = peer;
    }

    int execute(Command command) {
        ByteBuffer data = command.data();
        LittleEndian.zero(data, 0, IdentifyCommand.DATA_SIZE);
        int id = SubmissionEntry.namespaceId(command.entry(), 0);
        int structure = IdentifyCommand.structure(command.entry(), 0);
        if (controller.isDiscovery() && structure != IdentifyCommand.CONTROLLER) {
            return StatusCode.INVALID_FIELD.doNotRetry();
        }
        return switch (structure) {
            case IdentifyCommand.CONTROLLER -> controller(data);
            case IdentifyCommand.NAMESPACE -> namespace(data, id);
            case IdentifyCommand.ACTIVE_NAMESPACES -> activeNamespaces(data, id);
            case IdentifyCommand.NAMESPACE_DESCRIPTORS -> descriptors(data, id);
            default -> StatusCode.INVALID_FIELD.doNotRetry();
        };
    }

    private int controller(ByteBuffer data) {
        SubsystemSettings settings = subsystem.settings();
        ControllerData.serialNumber(data, 0, settings.serialNumber());
        ControllerData.model(data, 0, MODEL);
        ControllerData.firmware(data, 0, LogPages.firmware());
        ControllerData.maxTransferSize(
                data,
                0,
                Integer.numberOfTrailingZeros(settings.maxTransferBytes() / DataPool.ALIGNMENT));
        ControllerData.controllerId(data, 0, controller.id());
        ControllerData.version(data, 0, Registers.VERSION);
        ControllerData.attributes(data, 0, HOST_ID_128 | TRAFFIC_KEEPS_ALIVE);
        ControllerData.asyncEventLimit(data, 0, AsyncEvents.LIMIT - 1);
        ControllerData.keepAliveGranularity(data, 0, KEEP_ALIVE_UNITS);
        ControllerData.maxCommands(data, 0, settings.maxQueueEntries());
        ControllerData.sglSupport(data, 0, ControllerData.SGL_TCP);
        ControllerData.maxSglDescriptors(data, 0, 1);
        if (controller.isDiscovery()) {
            ControllerData.type(data, 0, ControllerData.TYPE_DISCOVERY);
            ControllerData.logPageAttributes(data, 0, EXTENDED_LOG_PAGES);
            ControllerData.subsystemName(data, 0, QualifiedName.DISCOVERY);
        } else {
            ioController(data, settings);
        }
        return Status.SUCCESS;
    }

    private void ioController(ByteBuffer data, SubsystemSettings settings) {
        ControllerData.type(data, 0, ControllerData.TYPE_IO);
        ControllerData.logPageAttributes(data, 0, EXTENDED_LOG_PAGES | EFFECTS_LOG_PAGE);
        ControllerData.subsystemName(data, 0, settings.nqn());
        ControllerData.multipath(data, 0, SEVERAL_CONTROLLERS);
        ControllerData.errorLogEntries(data, 0, ErrorLog.ENTRIES - 1);
        ControllerData.firmwareUpdates(data, 0, ONE_FIRMWARE_SLOT);
        ControllerData.submissionEntrySizes(data, 0, ENTRY_SIZES_SUBMISSION);
        ControllerData.completionEntrySizes(data, 0, ENTRY_SIZES_COMPLETION);
        ControllerData.namespaces(data, 0, subsystem.namespaces().size());
        ControllerData.maxAllowedNamespaces(data, 0, subsystem.namespaces().size());
        ControllerData.ioCommands(
                data,
                0,
                ControllerData.SUPPORTS_COMPARE
                        | ControllerData.SUPPORTS_DATASET_MANAGEMENT
                        | ControllerData.SUPPORTS_WRITE_ZEROES
                        | ControllerData.SUPPORTS_FEATURE_SELECT
                        | ControllerData.SUPPORTS_RESERVATIONS);
        ControllerData.volatileWriteCache(data, 0, WRITE_CACHE);
        ControllerData.commandCapsuleSize(
                data, 0, (SubmissionEntry.SIZE + settings.inCapsuleBytes()) / CAPSULE_UNIT);
        ControllerData.responseCapsuleSize(data, 0, 1);
        ControllerData.fabricsCommands(data, 0, SUPPORTS_DISCONNECT);
        ControllerData.sharesMemory(data, 0, settings.sharesMemory());
        ControllerData.takesRiders(data, 0, settings.sharesMemory());
        if (!peer.localSocket().isEmpty()) {
            new LocalSocketField(peer.localSocket(), peer.localAddress()).encode(data, 0);
        }
    }

    private int namespace(ByteBuffer data, int id) {
        if (id == 0 || Integer.compareUnsigned(id, subsystem.namespaces().size()) > 0) {
            return StatusCode.INVALID_NAMESPACE_OR_FORMAT.doNotRetry();
        }
        Namespace namespace = subsystem.namespaces().get(id - 1);
        NamespaceData.size(data, 0, namespace.blocks());
        NamespaceData.capacity(data, 0, namespace.blocks());
        NamespaceData.utilization(data, 0, namespace.blocks());
        NamespaceData.sharing(data, 0, SHARED);
        NamespaceData.reservationCapabilities(data, 0, reservationTypes());
        // DLFEAT stays 0: what deallocated blocks read as is not reported.
        NamespaceData.guid(data, 0, namespace.uuid());
        NamespaceData.format(
                data, 0, 0, 0, Integer.numberOfTrailingZeros(namespace.blockBytes()), 0);
        return Status.SUCCESS;
    }

    private static int reservationTypes() {
        int all = 0;
        for (ReservationType each : ReservationType.values()) {
            all |= each.capability();
        }
        return all;
    }

    private int activeNamespaces(ByteBuffer data, int above) {
        if (Integer.compareUnsigned(above, FIRST_SPECIAL_ID) >= 0) {
            return StatusCode.INVALID_NAMESPACE_OR_FORMAT.doNotRetry();
        }
        int index = 0;
        for (Namespace each : subsystem.namespaces()) {
            if (Integer.compareUnsigned(each.id(), above) > 0 && index < NamespaceList.MAX_IDS) {
                NamespaceList.id(data, 0, index++, each.id());
            }
        }
        return Status.SUCCESS;
    }

    private int descriptors(ByteBuffer data, int id) {
        Optional<Namespace> namespace = subsystem.namespace(id);
        if (namespace.isEmpty()) {
            return StatusCode.INVALID_NAMESPACE_OR_FORMAT.doNotRetry();
        }
        int next =
                NamespaceDescriptor.encode(
                        data, 0, NamespaceDescriptor.TYPE_UUID, namespace.get().uuid());
        NamespaceDescriptor.encode(
                data, next, NamespaceDescriptor.TYPE_GUID, namespace.get().uuid());
        return Status.SUCCESS;
    }
}
