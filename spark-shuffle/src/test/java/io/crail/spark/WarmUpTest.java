// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.apache.spark.SparkConf;
import org.apache.spark.serializer.KryoSerializer;
import org.junit.jupiter.api.Test;

class WarmUpTest {
    private final SparkConf conf =
            new SparkConf(false)
                    .set("spark.serializer", KryoSerializer.class.getName())
                    .set("spark.kryo.registrationRequired", "true")
                    .set("spark.kryo.registrator", "of.the.Application");

    @Test
    void whatTheApplicationRegistersIsNotLookedFor() {
        assertThat(new WarmUp(conf).roundTrip("value")).isEqualTo("value");
        assertThat(conf.contains("spark.kryo.registrator")).isTrue();
    }

    @Test
    void whatFailsDisturbsNobody() {
        conf.set("spark.kryoserializer.buffer", "4g");
        assertThatCode(new WarmUp(conf)::run).doesNotThrowAnyException();
    }
}
