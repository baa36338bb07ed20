// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.polling;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SharedCoreTest {
    private static final long TAKEN = SharedCore.TAKEN_NANOS + 1;
    private static final long AT_ONCE = 200;

    private final SharedCore core = new SharedCore();

    /** A wait whose message is there after a yield. */
    private void foundAfter(long nanos) {
        core.begin();
        core.yielded(nanos);
        core.found();
    }

    private void isShared() {
        for (int i = 0; i < SharedCore.EVIDENCE; i++) {
            foundAfter(TAKEN);
        }
    }

    /** Whether a wait ends with a yield that nobody profits from. */
    private boolean leavesAfterAYieldInVain() {
        core.begin();
        core.yielded(AT_ONCE);
        return core.isToBeLeft();
    }

    @Test
    void looksOnWhileNothingIsKnown() {
        assertThat(leavesAfterAYieldInVain()).isFalse();
    }

    @Test
    void leavesWhenThePeerHasTheCoreAndIsPassedOver() {
        isShared();

        assertThat(leavesAfterAYieldInVain()).isTrue();
    }

    @Test
    void looksAgainAfterAYieldThatSomebodyTook() {
        isShared();

        core.begin();
        core.yielded(TAKEN);
        assertThat(core.isToBeLeft()).isFalse();
        core.yielded(AT_ONCE);
        assertThat(core.isToBeLeft()).isTrue();
    }

    @Test
    void looksOnIfAPeerOfAnotherCoreSendsNowAndThen() {
        for (int i = 0; i < 100; i++) {
            foundAfter(i % SharedCore.EVIDENCE == 0 ? AT_ONCE : TAKEN);

            assertThat(leavesAfterAYieldInVain()).isFalse();
        }
    }

    @Test
    void oneMessageFromAnotherCoreEndsIt() {
        isShared();
        foundAfter(AT_ONCE);

        assertThat(leavesAfterAYieldInVain()).isFalse();
    }

    @Test
    void aMessageFoundBeforeAnyYieldSaysNothing() {
        isShared();
        core.begin();
        core.found();

        assertThat(leavesAfterAYieldInVain()).isTrue();
    }

    @Test
    void looksThroughAWaitEverySoOften() {
        isShared();

        int left = 0;
        for (int i = 0; i < 10 * SharedCore.TRY; i++) {
            left += leavesAfterAYieldInVain() ? 1 : 0;
        }

        assertThat(left).isEqualTo(10 * (SharedCore.TRY - 1));
    }
}
