// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.message.AwaitCommands.Revoke;
import io.crail.protocol.message.BlocksFreed.Freed;
import org.junit.jupiter.api.Test;

class FreedQueueTest {
    private final FreedQueue queue = new FreedQueue();

    private void add(int record, long generation) {
        queue.add(new Revoke(0, record, 4096, generation - 1), generation);
    }

    @Test
    void whatWasNotConfirmedIsReportedAgain() {
        add(1, 2);
        add(2, 2);
        FreedQueue.Batch first = queue.batch(1);
        assertThat(first.blocks()).containsExactly(new Freed(0, 1, 4096, 2));
        assertThat(queue.batch(1)).isEqualTo(first);
        queue.confirmed(first);
        assertThat(queue.batch(10).blocks()).containsExactly(new Freed(0, 2, 4096, 2));
    }

    @Test
    void aHeldBlockIsReportedAndThenThatItIsFree() {
        Revoke revoke = new Revoke(0, 1, 4096, 5);
        queue.addHeld(revoke);
        FreedQueue.Batch sent = queue.batch(10);
        assertThat(sent.blocks()).isEmpty();
        assertThat(sent.held()).containsExactly(new Freed(0, 1, 4096, 5));
        queue.add(revoke, 6);
        queue.confirmed(sent);
        FreedQueue.Batch next = queue.batch(10);
        assertThat(next.blocks()).containsExactly(new Freed(0, 1, 4096, 6));
        assertThat(next.held()).isEmpty();
        queue.confirmed(next);
        assertThat(queue.batch(10).isEmpty()).isTrue();
    }

    @Test
    void aRepeatedRevocationMakesNoSecondEntry() {
        add(1, 2);
        add(1, 2);
        assertThat(queue.batch(10).blocks()).hasSize(1);
    }

    @Test
    void aRevocationRepeatedWhileItsReportIsUnderWayIsReportedAgain() {
        add(1, 2);
        FreedQueue.Batch sent = queue.batch(10);
        add(1, 2);
        queue.confirmed(sent);
        assertThat(queue.batch(10).blocks()).containsExactly(new Freed(0, 1, 4096, 2));
    }

    @Test
    void whatWasFreedAgainMeanwhileIsNotForgotten() {
        add(1, 2);
        FreedQueue.Batch sent = queue.batch(10);
        add(1, 3);
        queue.confirmed(sent);
        assertThat(queue.batch(10).blocks()).containsExactly(new Freed(0, 1, 4096, 3));
    }
}
