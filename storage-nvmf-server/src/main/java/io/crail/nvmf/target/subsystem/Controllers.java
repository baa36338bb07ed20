// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.target.memory.DataShare;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The controllers that are there, and the queues of each. Guarded by the associations. */
final class Controllers {
    private static final int MAX_ID = 0xFFEF;

    /** A controller and its queues by their number. */
    private record Entry(Controller controller, Map<Integer, HostQueue> queues) {}

    private final Map<Integer, Entry> entries = new TreeMap<>();
    private int lastId;

    int size() {
        return entries.size();
    }

    int freeId() {
        do {
            lastId = lastId % MAX_ID + 1;
        } while (entries.containsKey(lastId));
        return lastId;
    }

    void add(Controller controller) {
        entries.put(controller.id(), new Entry(controller, new TreeMap<>()));
    }

    void add(HostQueue queue) {
        Entry entry = entries.get(queue.controller().id());
        if (entry == null) {
            throw new IllegalStateException(queue.controller() + " has ended");
        }
        entry.queues.put(queue.id(), queue);
    }

    /** The controller with an id, or null. */
    @Nullable Controller find(int id) {
        Entry entry = entries.get(id);
        return entry == null ? null : entry.controller;
    }

    /** A queue of a controller, unless that has ended. */
    Optional<HostQueue> queue(Controller controller, int id) {
        return entry(controller).map(entry -> entry.queues.get(id));
    }

    private Optional<Entry> entry(Controller controller) {
        return Optional.ofNullable(entries.get(controller.id()))
                .filter(entry -> entry.controller == controller);
    }

    /** The I/O queues of a controller, unless that has ended. */
    List<HostQueue> ioQueues(Controller controller) {
        return entry(controller).stream()
                .flatMap(entry -> entry.queues.values().stream())
                .filter(queue -> !queue.isAdmin())
                .toList();
    }

    /** Forgets a queue; false if it is not there. */
    boolean remove(HostQueue queue) {
        return entry(queue.controller())
                .map(entry -> entry.queues.remove(queue.id(), queue))
                .orElse(false);
    }

    /**
     * Forgets a controller.
     *
     * @return its queues, I/O queues first; nothing if it had ended
     */
    Optional<List<HostQueue>> remove(Controller controller) {
        Optional<Entry> entry = entry(controller);
        entry.ifPresent(there -> entries.remove(controller.id()));
        return entry.map(
                there ->
                        there.queues.values().stream()
                                .sorted(Comparator.comparing(HostQueue::id).reversed())
                                .toList());
    }

    List<Controller> where(Predicate<Controller> which) {
        return entries.values().stream().map(Entry::controller).filter(which).toList();
    }

    /** Queues of hosts with these identifiers. */
    Collection<HostQueue> queuesOf(Set<UUID> hostIds) {
        List<HostQueue> found = new ArrayList<>();
        for (Entry each : entries.values()) {
            if (hostIds.contains(each.controller.host().id())) {
                found.addAll(each.queues.values());
            }
        }
        return found;
    }

    /** What a host holds of the memory, by whatever controllers. */
    DataShare shareOf(String hostNqn) {
        return entries.values().stream()
                .map(Entry::controller)
                .filter(each -> each.host().nqn().equals(hostNqn))
                .findFirst()
                .map(Controller::memory)
                .orElseGet(DataShare::new);
    }
}
