// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class LeaseTest {
    private final Lease lease = new Lease();

    @Test
    void aDriverKeepsItsLoopWhenItsRunEndsBeforeAnybodyLooks() {
        assertThat(lease.takeOver()).isFalse();
        long run = lease.begin();
        assertThat(lease.end(run)).isTrue();
        assertThat(lease.takeOver()).isFalse();
        assertThat(lease.isAstray()).isFalse();
    }

    @Test
    void aDriverThatIsKeptLosesItsLoopOnceAndIsAstrayUntilItIsBack() {
        long run = lease.begin();
        await().until(lease::takeOver);
        assertThat(lease.takeOver()).isFalse();
        assertThat(lease.isAstray()).isTrue();
        assertThat(lease.end(run)).isFalse();
        lease.isBack();
        assertThat(lease.isAstray()).isFalse();
        long next = lease.begin();
        assertThat(lease.end(next)).isTrue();
    }

    @Test
    void whoLooksHearsOfRunsSinceItLookedLast() {
        assertThat(lease.hasRun()).isFalse();
        long run = lease.begin();
        assertThat(lease.hasRun()).isTrue();
        assertThat(lease.hasRun()).isFalse();
        assertThat(lease.end(run)).isTrue();
        assertThat(lease.hasRun()).isTrue();
        assertThat(lease.hasRun()).isFalse();
    }
}
