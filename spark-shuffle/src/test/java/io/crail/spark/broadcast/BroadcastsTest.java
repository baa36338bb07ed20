// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.spark.broadcast.Broadcasts.FactoryField;
import org.apache.spark.SparkConf;
import org.apache.spark.broadcast.BroadcastFactory;
import org.apache.spark.broadcast.BroadcastManager;
import org.apache.spark.broadcast.TorrentBroadcastFactory;
import org.junit.jupiter.api.Test;

class BroadcastsTest {
    @Test
    void theFactoryOfThisSparkIsFoundAndReplaced() {
        BroadcastManager manager = new BroadcastManager(true, new SparkConf(false));
        FactoryField field = FactoryField.of(manager, "broadcastFactory").orElseThrow();
        assertThat(field.present()).isInstanceOf(TorrentBroadcastFactory.class);
        BroadcastFactory mine = new TorrentBroadcastFactory();
        assertThat(field.replace(mine)).isTrue();
        assertThat(FactoryField.of(manager, "broadcastFactory").orElseThrow().present())
                .isSameAs(mine);
    }

    @Test
    void aSparkThatIsMadeOtherwiseIsNoticed() {
        BroadcastManager manager = new BroadcastManager(true, new SparkConf(false));
        assertThat(FactoryField.of(manager, "factory")).isEmpty();
        assertThat(FactoryField.of(manager, "nextBroadcastId")).isEmpty();
        assertThat(FactoryField.of("a text", "hash")).isEmpty();
    }

    @Test
    void questionsAndAnswersAreReadAsTheyWereSent() {
        DriverLink.Lost lost = new DriverLink.Lost(7, "/spark/a/broadcast-7");
        assertThat(DriverLink.Lost.of(lost.toMessage())).isEqualTo(lost);
        StoredValue read = StoredValue.of(new StoredValue("/a", 1L << 40, 12, true).toMessage());
        assertThat(read.path()).isEqualTo("/a");
        assertThat(read.length()).isEqualTo(1L << 40);
        assertThat(read.chunks()).isEqualTo(12);
        assertThat(read.javaObjects()).isTrue();
        assertThatThrownBy(() -> DriverLink.Lost.of(new String[] {"a"}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> StoredValue.of(new String[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
