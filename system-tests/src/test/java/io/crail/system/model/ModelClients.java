// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The clients of a run: half of them reach storage servers of this host in shared memory, half over
 * TCP. What is visible does not depend on which of them is asked.
 */
final class ModelClients implements AutoCloseable {
    /** Connects a client. */
    @FunctionalInterface
    interface Connector {
        CrailClient connect(boolean sharedMemory) throws CrailException;
    }

    static final int COUNT = 4;

    private final Connector connector;
    private final List<CrailClient> clients = new ArrayList<>();
    private long overMemory;
    private long overNetwork;

    ModelClients(Connector connector) throws CrailException {
        this.connector = connector;
        try {
            for (int i = 0; i < COUNT; i++) {
                clients.add(connector.connect(isMapping(i)));
            }
        } catch (CrailException e) {
            close();
            throw e;
        }
    }

    private static boolean isMapping(int index) {
        return index % 2 == 0;
    }

    CrailClient get(int index) {
        return clients.get(index);
    }

    CrailClient any(Random random) {
        return clients.get(random.nextInt(COUNT));
    }

    /** Ends a client's session and connects another in its place. */
    void replace(int index) throws CrailException {
        count(index);
        clients.get(index).close();
        clients.set(index, connector.connect(isMapping(index)));
    }

    /** Fails if a way to the storage servers was not used, or by whom it must not be. */
    void checkWays() {
        for (int i = 0; i < COUNT; i++) {
            count(i);
        }
        if (overMemory == 0 || overNetwork == 0) {
            throw new AssertionError(
                    overMemory + " bytes in shared memory, " + overNetwork + " over TCP");
        }
    }

    private void count(int index) {
        var statistics = clients.get(index).clientStatistics();
        if (isMapping(index)) {
            overMemory += statistics.over("shm").bytesRead();
        } else {
            overNetwork += statistics.over("tcp").bytesRead();
            if (statistics.over("shm").bytesRead() > 0) {
                throw new AssertionError("client " + index + " maps memory");
            }
        }
    }

    @Override
    public void close() {
        clients.forEach(CrailClient::close);
    }
}
