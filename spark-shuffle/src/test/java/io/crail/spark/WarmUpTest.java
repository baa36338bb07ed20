// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientStatistics;
import io.crail.error.CrailException;
import io.crail.spark.store.ApplicationStores;
import io.crail.spark.store.StoreLease;
import java.io.IOException;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("spark")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class WarmUpTest {
    private static TestApplication application;
    private StoreLease lease;
    private SparkConf conf;

    @BeforeAll
    static void start() throws IOException {
        application = TestApplication.start(TestApplication.LOCAL, Map.of());
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void join() throws CrailException {
        conf = application.spark().getConf();
        lease = ApplicationStores.OF_THIS_JVM.join(conf);
    }

    @AfterEach
    void leave() {
        lease.close();
    }

    private WarmUp warmUp() {
        return new WarmUp(lease.store(), conf, new SplittableRandom(1));
    }

    /** Read, or looked at in place. */
    private long bytesOfThisHost() {
        ClientStatistics.Moved moved = lease.store().client().clientStatistics().over("shm");
        return moved.bytesRead() + moved.bytesLent();
    }

    @Test
    void recordsGoThroughTheStoreAndNothingStays() throws IOException {
        long before = bytesOfThisHost();
        assertThat(warmUp().rehearse()).isEqualTo(WarmUp.RECORDS);
        // Half of them cannot be compressed.
        assertThat(bytesOfThisHost() - before).isGreaterThan(WarmUp.RECORDS * 500L);
        assertThat(application.list(application.directory())).isEmpty();
    }

    @Test
    void itTakesNoMemoryFromTasks() throws IOException {
        long before = SparkEnv.get().memoryManager().executionMemoryUsed();
        warmUp().rehearse();
        assertThat(SparkEnv.get().memoryManager().executionMemoryUsed()).isEqualTo(before);
    }

    @Test
    void whatTheApplicationRegistersIsNotLookedFor() throws IOException {
        conf.set("spark.serializer", KryoSerializer.class.getName())
                .set("spark.kryo.registrationRequired", "true")
                .set("spark.kryo.registrator", "of.the.Application");
        assertThat(warmUp().rehearse()).isEqualTo(WarmUp.RECORDS);
        assertThat(conf.contains("spark.kryo.registrator")).isTrue();
    }

    @Test
    void whatFailsDisturbsNobodyAndLeavesNothing() throws IOException {
        conf.set("spark.serializer", KryoSerializer.class.getName())
                .set("spark.kryoserializer.buffer", "4g");
        WarmUp failing = warmUp();
        assertThatThrownBy(failing::rehearse).isInstanceOf(IllegalArgumentException.class);
        assertThatCode(failing::run).doesNotThrowAnyException();
        assertThat(application.list(application.directory())).isEmpty();
    }
}
