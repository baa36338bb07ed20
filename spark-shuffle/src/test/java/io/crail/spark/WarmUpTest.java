// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private final SparkConf conf =
            new SparkConf(false)
                    .set("spark.serializer", KryoSerializer.class.getName())
                    .set("spark.kryo.registrationRequired", "true")
                    .set("spark.kryo.registrator", "of.the.Application");

    @Test
    void recordsComeBackFromTheirWay() throws IOException {
        SerializerInstance serializer = new KryoSerializer(new SparkConf(false)).newInstance();
        assertThat(new WarmUp(conf).roundTrip(serializer, new byte[100], 1000)).isEqualTo(1000);
        assertThat(new WarmUp(conf).roundTrip(serializer, "value", 1)).isEqualTo(1);
    }

    @Test
    void whatTheApplicationRegistersIsNotLookedFor() throws IOException {
        WarmUp warmUp = new WarmUp(conf);
        assertThat(warmUp.roundTrip(warmUp.serializer(), "value", 1)).isEqualTo(1);
        assertThat(conf.contains("spark.kryo.registrator")).isTrue();
    }

    @Test
    void whatFailsDisturbsNobody() {
        conf.set("spark.kryoserializer.buffer", "4g");
        assertThatCode(new WarmUp(conf)::run).doesNotThrowAnyException();
    }
}
