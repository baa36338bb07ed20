// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class SharedClientsTest {
    private final AtomicInteger connected = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final SharedClients clients =
            new SharedClients(
                    config -> {
                        connected.incrementAndGet();
                        return client();
                    });

    private CrailClient client() {
        return (CrailClient)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {CrailClient.class},
                        (proxy, method, arguments) -> {
                            if (!method.getName().equals("close")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            closed.incrementAndGet();
                            return null;
                        });
    }

    private static ClientSettings settings(String user) throws CrailException {
        return ClientSettings.of(
                URI.create("crail://h:1/"), new Configuration(false), user, Map.of());
    }

    private ClientLease acquire(String user) throws CrailException {
        return clients.acquire(settings(user), Optional.empty());
    }

    @Test
    void equalSettingsShareAClientThatIsClosedWithTheLast() throws IOException {
        ClientLease first = acquire("ann");
        ClientLease second = acquire("ann");
        assertThat(first.client()).isSameAs(second.client());
        first.close();
        first.close();
        assertThat(closed).hasValue(0);
        second.close();
        assertThat(closed).hasValue(1);
        assertThat(clients.size()).isZero();
    }

    @Test
    void afterTheLastANewClientIsConnected() throws IOException {
        acquire("ann").close();
        try (ClientLease again = acquire("ann")) {
            assertThat(again.client()).isNotNull();
        }
        assertThat(connected).hasValue(2);
        assertThat(closed).hasValue(2);
    }

    @Test
    void usersHaveClientsOfTheirOwn() throws IOException {
        try (ClientLease ann = acquire("ann");
                ClientLease bob = acquire("bob")) {
            assertThat(ann.client()).isNotSameAs(bob.client());
        }
        assertThat(closed).hasValue(2);
    }

    @Test
    void aLeaseThatWasGivenBackHasNoClient() throws IOException {
        ClientLease lease = acquire("ann");
        lease.close();
        assertThatThrownBy(lease::client)
                .isInstanceOf(IOException.class)
                .hasMessage("Filesystem closed");
    }

    @Test
    void aFailureToConnectIsNotKept() throws IOException {
        AtomicInteger attempts = new AtomicInteger();
        SharedClients failing =
                new SharedClients(
                        config -> {
                            if (attempts.incrementAndGet() == 1) {
                                throw new ServerLostException("nobody answers");
                            }
                            return client();
                        });
        assertThatThrownBy(() -> failing.acquire(settings("ann"), Optional.empty()))
                .isInstanceOf(ServerLostException.class);
        assertThat(failing.size()).isZero();
        failing.acquire(settings("ann"), Optional.empty()).close();
        assertThat(attempts).hasValue(2);
    }

    @Test
    void threadsThatComeAndGoAtOnceLeaveNothing() throws InterruptedException, ExecutionException {
        int threads = 8;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                done.add(
                        pool.submit(
                                () -> {
                                    start.await();
                                    for (int round = 0; round < 1000; round++) {
                                        try (ClientLease lease = acquire("ann")) {
                                            assertThat(lease.client()).isNotNull();
                                        }
                                    }
                                    return null;
                                }));
            }
            start.countDown();
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(clients.size()).isZero();
        assertThat(closed).hasValue(connected.get());
    }
}
