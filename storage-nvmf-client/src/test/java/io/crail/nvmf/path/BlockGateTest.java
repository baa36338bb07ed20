// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.error.ServerLostException;
import io.crail.error.StaleReferenceException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.StoredCounter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who may write at a target that guards nothing, and what is known to be over. */
class BlockGateTest {
    private static final long VALIDITY = 100;

    private final ManualUnits units = new ManualUnits();
    private long now = 1_000;
    private final BlockGate gate = new BlockGate(units, "server", VALIDITY, () -> now, 5, now);

    /** A writer that keeps what it was told. */
    private static final class Told implements BlockGate.Writer {
        final List<Long> tokens = new ArrayList<>();
        final List<CrailException> refusals = new ArrayList<>();

        @Override
        public void entered(long token) {
            tokens.add(token);
        }

        @Override
        public void refused(CrailException why) {
            refusals.add(why);
        }
    }

    private Told enter() {
        Told told = new Told();
        gate.enter(ManualUnits.BLOCK, told);
        return told;
    }

    private void store(int counter, boolean held) {
        units.stored(FlashLayout.COUNTERS_OFFSET).putInt(0, StoredCounter.of(counter, held));
    }

    @Test
    void theFirstWriteOfABlockReadsItsCounterAndTheNextDoesNot() {
        Told first = enter();
        assertThat(first.tokens).isEmpty();
        units.endFirst();
        assertThat(first.tokens).containsExactly(5L);
        assertThat(enter().tokens).containsExactly(5L);
        assertThat(units.underWay).isEmpty();
    }

    @Test
    void aBlockWhoseCounterWasRaisedIsRefusedAlsoWhileItIsHeld() {
        store(2, true);
        Told told = enter();
        units.endFirst();
        assertThat(told.refusals).singleElement().isInstanceOf(StaleReferenceException.class);
        assertThat(gate.isEmpty()).isTrue();
    }

    @Test
    void anotherEpochHasAllCountersReadAnew() {
        enter();
        units.endFirst();
        store(2, false);
        gate.looked(6, now);
        Told told = enter();
        units.endFirst();
        assertThat(told.refusals).singleElement().isInstanceOf(StaleReferenceException.class);
    }

    /** It may have been read before the counter was raised that the new epoch tells of. */
    @Test
    void aCounterThatIsBeingReadWhenTheEpochChangesIsNotKeptForTheNewOne() {
        Told told = enter();
        gate.looked(6, now);
        units.endFirst();
        assertThat(told.tokens).containsExactly(5L);
        enter();
        assertThat(units.underWay).hasSize(1);
    }

    @Test
    void anEpochIsAcknowledgedWhenAllWhoEnteredBeforeHaveEnded() {
        Told old = enter();
        assertThat(gate.acknowledged()).isEqualTo(5);
        gate.looked(7, now);
        assertThat(gate.acknowledged()).as("while its counter is read").isEqualTo(5);
        units.endFirst();
        assertThat(gate.acknowledged()).as("while it writes").isEqualTo(5);
        Told young = enter();
        units.endFirst();
        assertThat(young.tokens).containsExactly(7L);
        gate.exit(old.tokens.get(0));
        assertThat(gate.acknowledged()).isEqualTo(7);
        gate.exit(young.tokens.get(0));
        assertThat(gate.isEmpty()).isTrue();
    }

    @Test
    void nobodyEntersByAnOldLookAndTheNextLookLetsThemIn() {
        enter();
        units.endFirst();
        now += VALIDITY + 1;
        Told told = enter();
        assertThat(told.tokens).isEmpty();
        gate.looked(5, now);
        assertThat(told.tokens).containsExactly(5L);
    }

    @Test
    void whoWaitsIsToldWhenTheConnectionEnds() {
        now += VALIDITY + 1;
        Told told = enter();
        gate.close(new ServerLostException("lost"));
        assertThat(told.refusals).singleElement().isInstanceOf(ServerLostException.class);
        assertThat(enter().refusals).hasSize(1);
    }

    @Test
    void aCounterThatCannotBeReadLetsNobodyIn() {
        Told told = enter();
        units.failFirst();
        assertThat(told.refusals).singleElement().isInstanceOf(ServerLostException.class);
        assertThat(gate.isEmpty()).isTrue();
    }
}
