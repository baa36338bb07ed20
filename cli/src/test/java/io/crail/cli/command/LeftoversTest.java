// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CancelledException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftoversTest {
    private final Leftovers leftovers = new Leftovers();
    private final List<String> removed = new ArrayList<>();

    @Test
    void theNewestGoesFirstAndForgottenOnesStay() throws IOException {
        leftovers.add(() -> removed.add("first"));
        Leftovers.Removal forgotten = leftovers.add(() -> removed.add("forgotten"));
        leftovers.add(() -> removed.add("last"));
        leftovers.forget(forgotten);
        assertThat(leftovers.removeAll()).isEmpty();
        assertThat(removed).containsExactly("last", "first");
    }

    @Test
    void aFailureStopsNothingAndIsTold() throws IOException {
        IOException failure = new IOException("stuck");
        leftovers.add(() -> removed.add("first"));
        leftovers.add(
                () -> {
                    throw failure;
                });
        assertThat(leftovers.removeAll()).containsExactly(failure);
        assertThat(removed).containsExactly("first");
    }

    @Test
    void nothingIsAddedOnceTheCommandEnds() {
        leftovers.removeAll();
        assertThatThrownBy(() -> leftovers.add(() -> removed.add("late")))
                .isInstanceOf(CancelledException.class);
    }
}
