// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds ready channels in the order of their registration. It waits in a {@link Fiber} only;
 * elsewhere it comes back at once, and its process has another turn when a channel gets ready.
 */
final class SimulatedSelector extends AbstractSelector {
    /** A channel of the simulation. */
    interface Channel {
        /** The operations it is ready for. */
        int ready();

        void registered(Key key);
    }

    private final Set<SelectionKey> keys = new LinkedHashSet<>();
    private final Set<SelectionKey> selected = new LinkedHashSet<>();
    private @Nullable SimulatedProcess owner;
    private @Nullable Fiber waiting;
    private boolean woken;

    SimulatedSelector(Machine machine) {
        super(machine);
    }

    /** The process that has a turn when a channel gets ready. */
    void owner(SimulatedProcess process) {
        owner = process;
        process.poke();
    }

    /** A channel may have become ready. */
    void poke() {
        Fiber fiber = waiting;
        SimulatedProcess process = owner;
        if (fiber != null) {
            fiber.poke();
        } else if (process != null) {
            process.poke();
        }
    }

    /** Whether a selection would find something now. */
    boolean hasReady() {
        for (SelectionKey key : keys) {
            if (key.isValid() && ((Key) key).readyNow() != 0) {
                return true;
            }
        }
        return woken;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        Key key = new Key(channel);
        key.attach(attachment);
        keys.add(key);
        ((Channel) channel).registered(key);
        key.interestOps(ops);
        return key;
    }

    @Override
    public Set<SelectionKey> keys() {
        return Collections.unmodifiableSet(keys);
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        return selected;
    }

    @Override
    public int selectNow() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
        Set<SelectionKey> cancelled = cancelledKeys();
        for (SelectionKey key : cancelled) {
            keys.remove(key);
            selected.remove(key);
            deregister((AbstractSelectionKey) key);
        }
        cancelled.clear();
        woken = false;
        int count = 0;
        for (SelectionKey key : keys) {
            int ready = key.isValid() ? ((Key) key).readyNow() : 0;
            if (ready != 0) {
                ((Key) key).ready = ready;
                selected.add(key);
                count++;
            }
        }
        return count;
    }

    @Override
    public int select(long millis) {
        if (Thread.currentThread() instanceof Fiber fiber && !hasReady()) {
            waiting = fiber;
            fiber.pause(millis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millis));
            waiting = null;
        }
        return selectNow();
    }

    @Override
    public int select() {
        return select(0);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long millis) throws IOException {
        selected.clear();
        select(millis);
        List<SelectionKey> found = new ArrayList<>(selected);
        selected.clear();
        found.forEach(action);
        return found.size();
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        selected.clear();
        selectNow();
        List<SelectionKey> found = new ArrayList<>(selected);
        selected.clear();
        found.forEach(action);
        return found.size();
    }

    @Override
    public Selector wakeup() {
        woken = true;
        poke();
        return this;
    }

    @Override
    protected void implCloseSelector() {
        for (SelectionKey key : keys) {
            deregister((AbstractSelectionKey) key);
        }
        keys.clear();
        selected.clear();
        owner = null;
    }

    /** A channel's registration. */
    final class Key extends AbstractSelectionKey {
        private final AbstractSelectableChannel channel;
        private int interest;
        private int ready;

        private Key(AbstractSelectableChannel channel) {
            this.channel = channel;
        }

        private int readyNow() {
            return interest & ((Channel) channel).ready();
        }

        /** The channel's state changed. */
        void changed() {
            if (isValid() && readyNow() != 0) {
                poke();
            }
        }

        @Override
        public AbstractSelectableChannel channel() {
            return channel;
        }

        @Override
        public Selector selector() {
            return SimulatedSelector.this;
        }

        @Override
        public int interestOps() {
            return interest;
        }

        @Override
        public SelectionKey interestOps(int ops) {
            interest = ops;
            changed();
            return this;
        }

        @Override
        public int readyOps() {
            return ready;
        }
    }
}
