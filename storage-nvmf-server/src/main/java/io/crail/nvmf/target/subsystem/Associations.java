// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.target.fence.Gate;
import io.crail.nvmf.target.status.TargetCounters;
import io.crail.nvmf.wire.QualifiedName;
import io.crail.nvmf.wire.command.ConnectCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which hosts are there: controllers, their queues, and the queues that are gone but whose commands
 * may not be.
 *
 * <p>Thread-safe; one lock guards the allow-list, the controllers, their queues and the departed
 * ones. So a host is either taken off the list before its Connect, which is then refused, or after
 * it, and then its controller is among those that revoking ends. No call in here waits, and none
 * touches a medium.
 *
 * <p><b>Commands that are left behind.</b> A host that lost a connection sends what was not
 * answered again over a new one. A command of the old one that is still at the medium, or still
 * unread in its socket, would then come after it and undo what was written since. So a new
 * association of a host (same name and identifier) ends the old one, whatever the target noticed of
 * its end, and Connect is answered only when nothing of it is at the medium any more; what is
 * unread meets a closed gate. The same holds for a queue that is connected again.
 */
public final class Associations {
    private static final Logger LOG = LoggerFactory.getLogger(Associations.class);

    private final SubsystemSettings settings;
    private final TargetCounters counters;
    private final LongSupplier nanoTime;
    private final Hosts hosts;
    private final HostAdmission admission;
    private final Controllers controllers = new Controllers();
    private final Departed departed = new Departed();

    public Associations(
            SubsystemSettings settings, TargetCounters counters, LongSupplier nanoTime) {
        this(settings, counters, nanoTime, HostAdmission.ALL);
    }

    /**
     * @param admission asked besides the list of hosts
     */
    public Associations(
            SubsystemSettings settings,
            TargetCounters counters,
            LongSupplier nanoTime,
            HostAdmission admission) {
        this.admission = admission;
        this.settings = settings;
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.hosts = new Hosts(settings.anyHost(), settings.allowedHosts());
    }

    /**
     * Connects an admin queue: makes a controller.
     *
     * @param subsystemName of the Connect
     * @param keepAliveMillis KATO
     */
    public synchronized ConnectOutcome connectAdmin(
            HostIdentity host,
            String subsystemName,
            int entries,
            boolean flowControl,
            long keepAliveMillis,
            QueueLink link) {
        boolean discovery = subsystemName.equals(QualifiedName.DISCOVERY);
        if (!discovery && !subsystemName.equals(settings.nqn())) {
            return invalid(ConnectData.SUBSYSTEM_NAME, true);
        }
        if (!hosts.mayConnect(host.nqn())) {
            LOG.warn("Host {} is not admitted to {}", host.nqn(), settings.nqn());
            return refused(StatusCode.CONNECT_INVALID_HOST);
        }
        switch (discovery ? HostAdmission.Verdict.ADMITTED : admission.ask(host)) {
            case REFUSED -> {
                LOG.warn("Host {} is not admitted to {}", host.nqn(), settings.nqn());
                return refused(StatusCode.CONNECT_INVALID_HOST);
            }
            case LATER -> {
                return new ConnectOutcome.Refused(StatusCode.CONNECT_CONTROLLER_BUSY.status(), 0);
            }
            case ADMITTED -> {
                // Goes on.
            }
        }
        if (!discovery && settings.oneAssociationPerHost()) {
            endWhere(
                    each -> !each.isDiscovery() && each.host().equals(host),
                    "its host made a new association");
            if (departed.isAtMedium(host)) {
                return new ConnectOutcome.Wait();
            }
        }
        if (controllers.size() >= settings.maxControllers()) {
            LOG.warn("Host {} finds all {} controllers in use", host.nqn(), controllers.size());
            return new ConnectOutcome.Refused(StatusCode.CONNECT_CONTROLLER_BUSY.status(), 0);
        }
        Controller controller =
                new Controller(
                        controllers.freeId(),
                        host,
                        discovery,
                        new Registers(settings.maxQueueEntries(), discovery),
                        counters.of(host.nqn()),
                        controllers.shareOf(host.nqn()));
        controller.startTimer(nanoTime.getAsLong());
        controller.keepAliveMillis(
                discovery && keepAliveMillis == 0
                        ? settings.discoveryIdleMillis()
                        : keepAliveMillis);
        controllers.add(controller);
        LOG.info(
                "{} connected to {}, keep-alive {} ms",
                controller,
                subsystemName,
                controller.keepAliveMillis());
        return add(controller, 0, entries, flowControl, link);
    }

    /** Connects an I/O queue of a controller that a host has. */
    public synchronized ConnectOutcome connectIo(
            HostIdentity host,
            String subsystemName,
            int controllerId,
            int queueId,
            int entries,
            boolean flowControl,
            QueueLink link) {
        Controller controller = controllers.find(controllerId);
        if (controller == null || controller.isDiscovery()) {
            return invalid(ConnectData.CONTROLLER_ID, true);
        }
        if (!subsystemName.equals(settings.nqn())) {
            return invalid(ConnectData.SUBSYSTEM_NAME, true);
        }
        if (!controller.host().nqn().equals(host.nqn())) {
            return invalid(ConnectData.HOST_NAME, true);
        }
        if (!controller.host().id().equals(host.id())) {
            return invalid(ConnectData.HOST_ID, true);
        }
        if (!controller.registers().isReady()) {
            return refused(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        if (queueId > controller.ioQueues()) {
            return invalid(ConnectCommand.QUEUE_ID, false);
        }
        if (controllers.queue(controller, queueId).isPresent()) {
            return refused(StatusCode.COMMAND_SEQUENCE_ERROR);
        }
        if (departed.isAtMedium(controller)) {
            return new ConnectOutcome.Wait();
        }
        return add(controller, queueId, entries, flowControl, link);
    }

    private ConnectOutcome add(
            Controller controller, int id, int entries, boolean flowControl, QueueLink link) {
        HostQueue queue = new HostQueue(controller, id, entries, flowControl, new Gate(), link);
        controllers.add(queue);
        controller.counters().queueOpened();
        return new ConnectOutcome.Connected(queue);
    }

    private static ConnectOutcome refused(StatusCode code) {
        return new ConnectOutcome.Refused(code.doNotRetry(), 0);
    }

    private static ConnectOutcome invalid(int offset, boolean inData) {
        return new ConnectOutcome.Refused(
                StatusCode.CONNECT_INVALID_PARAMETERS.doNotRetry(),
                ConnectCommand.invalidParameter(offset, inData));
    }

    /** The connection of a queue is closed; without its admin queue a controller ends. */
    public synchronized void closed(HostQueue queue) {
        if (queue.isAdmin()) {
            end(queue.controller(), "its admin queue is closed");
        } else {
            remove(queue, "its connection is closed");
        }
    }

    private void remove(HostQueue queue, String reason) {
        if (controllers.remove(queue)) {
            depart(queue, reason);
        }
    }

    private void depart(HostQueue queue, String reason) {
        queue.controller().counters().queueClosed();
        queue.shut(reason);
        departed.add(queue);
    }

    /** Closes the I/O queues of a controller, which was disabled. */
    public synchronized void closeIoQueues(Controller controller, String reason) {
        controllers.ioQueues(controller).forEach(each -> remove(each, reason));
    }

    /** Ends a controller: none of its commands reaches a medium from now on. */
    public synchronized void end(Controller controller, String reason) {
        // I/O queues first: what reaches the medium comes by them.
        controllers
                .remove(controller)
                .ifPresent(
                        queues -> {
                            queues.forEach(each -> depart(each, reason));
                            LOG.info("{} ended: {}", controller, reason);
                        });
    }

    private void endWhere(Predicate<Controller> which, String reason) {
        controllers.where(which).forEach(each -> end(each, reason));
    }

    /** Ends controllers whose hosts were silent for too long; to be called again and again. */
    public synchronized void expire() {
        long now = nanoTime.getAsLong();
        endWhere(
                each -> {
                    boolean silent = each.isSilent(now);
                    if (silent) {
                        counters.keepAlivesExpired.increment();
                    }
                    return silent;
                },
                "its keep-alive timer expired");
    }

    /**
     * Lets a host connect.
     *
     * @return false, and nothing changed, if something of it from before it was revoked may still
     *     be at the medium
     */
    public synchronized boolean admit(String hostNqn) {
        if (!hosts.mayConnect(hostNqn) && !departed.of(hostNqn).isEmpty()) {
            return false;
        }
        hosts.admit(hostNqn);
        return true;
    }

    /**
     * Takes a host off the list and ends its controllers.
     *
     * @return all its queues that may still be at the medium, or hold buffers
     */
    public synchronized List<HostQueue> revoke(String hostNqn) {
        hosts.revoke(hostNqn);
        endWhere(each -> each.host().nqn().equals(hostNqn), "its host was revoked");
        return departed.of(hostNqn);
    }

    /** Gates of all queues, open or closed, of hosts with these identifiers. */
    public synchronized List<Gate> gatesOf(Set<UUID> hostIds) {
        List<Gate> gates = new ArrayList<>();
        controllers.queuesOf(hostIds).forEach(queue -> gates.add(queue.gate()));
        departed.ofIds(hostIds).forEach(queue -> gates.add(queue.gate()));
        return gates;
    }

    /** Tells hosts what happened to the reservation of a namespace. */
    synchronized void tellOfReservation(Set<UUID> hostIds, int type, int namespaceId) {
        controllers
                .where(each -> hostIds.contains(each.host().id()))
                .forEach(each -> each.tellOfReservation(type, namespaceId));
    }

    /** Whether commands of closed queues of a controller may still be at the medium. */
    public synchronized boolean isAtMedium(Controller controller) {
        return departed.isAtMedium(controller);
    }

    /** An I/O or admin queue of a controller, or nothing. */
    public synchronized Optional<HostQueue> queue(Controller controller, int queueId) {
        return controllers.queue(controller, queueId);
    }

    /** Number of controllers. */
    public synchronized int size() {
        return controllers.size();
    }
}
