// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.junit.jupiter.api.Test;

class SharedSerializersTest {
    private final SharedSerializers shared = new SharedSerializers(true);

    private static KryoSerializer kryo(String... keysAndValues) {
        SparkConf conf = new SparkConf(false);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            conf.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new KryoSerializer(conf);
    }

    @Test
    void serialisersOfTheSameSettingsAreOne() {
        Serializer first = shared.sameAs(kryo());
        assertThat(shared.sameAs(kryo())).isSameAs(first);
    }

    @Test
    void serialisersOfOtherSettingsAreOthers() {
        Serializer first = shared.sameAs(kryo());
        assertThat(shared.sameAs(kryo("spark.kryo.referenceTracking", "false"))).isNotSameAs(first);
        assertThat(shared.sameAs(kryo("spark.kryo.classesToRegister", "a.B"))).isNotSameAs(first);
        assertThat(shared.sameAs(kryo("spark.kryo.registrator", "a.C"))).isNotSameAs(first);
    }

    @Test
    void serialisersThatFindOtherClassesAreOthers() throws IOException {
        Serializer first = shared.sameAs(kryo());
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader other = new URLClassLoader(new URL[0], before)) {
            Thread.currentThread().setContextClassLoader(other);
            assertThat(shared.sameAs(kryo())).isNotSameAs(first);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(shared.sameAs(kryo())).isSameAs(first);
    }

    @Test
    void heirsAndOtherKindsAreLeftAlone() {
        Serializer heir = new KryoSerializer(new SparkConf(false)) {};
        assertThat(shared.sameAs(heir)).isSameAs(heir);
        Serializer java = new JavaSerializer(new SparkConf(false));
        assertThat(shared.sameAs(java)).isSameAs(java);
    }

    @Test
    void onlySomeAreKept() {
        Serializer first = shared.sameAs(kryo());
        for (int i = 0; i < 40; i++) {
            Serializer unused = shared.sameAs(kryo("spark.kryo.registrator", "a.C" + i));
        }
        assertThat(shared.sameAs(kryo())).isNotSameAs(first);
    }
}
