// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who keeps the directory of an application alive, and who makes it anew. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DirectoryLifeTest {
    private static final String DIRECTORY = "/spark/application";
    private static final Duration TIME = Duration.ofMinutes(5);

    private EmbeddedCluster cluster;
    private CrailClient client;

    @BeforeEach
    void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(0).start();
        client = cluster.client();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private DirectoryLife life(boolean isDriver, Duration time) {
        return new DirectoryLife(client, DIRECTORY, time, OptionalInt.of(3), isDriver);
    }

    private boolean exists() throws CrailException {
        return client.lookup(DIRECTORY).isPresent();
    }

    @Test
    void eachProcessRenewsTheWholeTime() throws CrailException {
        life(true, TIME).begin();
        for (boolean isDriver : new boolean[] {true, false}) {
            client.setAttributes(DIRECTORY, AttributeChange.NONE.lifetime(Duration.ofMinutes(1)));
            assertThat(life(isDriver, TIME).renew()).isTrue();
            assertThat(client.status(DIRECTORY).remainingMillis())
                    .isGreaterThan(TIME.toMillis() / 2);
        }
    }

    @Test
    void onlyTheDriverMakesItAnew() throws CrailException {
        DirectoryLife driver = life(true, TIME);
        driver.begin();
        client.delete(DIRECTORY, true);
        assertThat(life(false, TIME).renew()).isTrue();
        assertThat(exists()).isFalse();
        assertThat(driver.renew()).isTrue();
        assertThat(client.status(DIRECTORY).storageClass()).isEqualTo(3);
        assertThat(client.status(DIRECTORY).remainingMillis()).isGreaterThan(TIME.toMillis() / 2);
    }

    @Test
    void afterTheEndTheDriverDoesNotEither() throws CrailException {
        DirectoryLife driver = life(true, TIME);
        driver.begin();
        driver.end();
        client.delete(DIRECTORY, true);
        assertThat(driver.renew()).isTrue();
        assertThat(exists()).isFalse();
    }

    @Test
    void itGoesWhenNobodyRenewsItAnyMore() throws CrailException {
        Duration time = Duration.ofSeconds(2);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try {
            DirectoryLife executor = life(false, time);
            life(true, time).begin();
            executor.keepAlive(timer);
            // The time itself is the condition.
            await().during(time.multipliedBy(3)).until(this::exists);
        } finally {
            timer.shutdownNow();
        }
        await().until(() -> !exists());
    }
}
