// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.index.NameHash;
import io.crail.namenode.inline.InlineMemory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Deadlines in a heap against deadlines in a map. */
final class LifetimesModelTest {
    private final Tree tree =
            new Tree(
                    NameHash.of(new Random(1)),
                    new InlineMemory(1 << 20, "limit"),
                    new Attributes(0755, 0, true, "o", "g", ""));

    private long lastId = Tree.ROOT_ID;

    private Node node() {
        return tree.newFile(++lastId, tree.root().attributes(), new ExtentList(), 0, 0);
    }

    @Property(tries = 300)
    void nodesAreDueInOrderWhateverChanges(
            @ForAll @Size(max = 400) List<@IntRange(max = 9999) Integer> steps) {
        Lifetimes lifetimes = tree.lifetimes();
        Map<Node, Long> model = new HashMap<>();
        for (int step : steps) {
            int what = step % 10;
            long deadline = lifetimes.now() + step / 10;
            if (what < 5 || model.isEmpty()) {
                Node made = node();
                tree.extras().setDeadline(made, deadline);
                model.put(made, deadline);
            } else if (what == 9) {
                lifetimes.pass(step / 100);
                pollAll(lifetimes, model);
            } else {
                Node some = List.copyOf(model.keySet()).get(step % model.size());
                if (what < 7) {
                    tree.extras().setDeadline(some, deadline);
                    model.put(some, deadline);
                } else {
                    tree.extras().drop(some);
                    model.remove(some);
                    assertThat(some.hasDeadline()).isFalse();
                }
            }
            assertThat(lifetimes.size()).isEqualTo(model.size());
        }
        lifetimes.pass(1000);
        pollAll(lifetimes, model);
        assertThat(model).isEmpty();
    }

    private static void pollAll(Lifetimes lifetimes, Map<Node, Long> model) {
        long last = Long.MIN_VALUE;
        for (Node due = lifetimes.pollDue(); due != null; due = lifetimes.pollDue()) {
            Long deadline = model.remove(due);
            if (deadline == null) {
                throw new AssertionError("due, but not expected: node " + due.id());
            }
            assertThat(deadline).isBetween(last, lifetimes.now());
            last = deadline;
        }
        assertThat(model.values()).allMatch(deadline -> deadline > lifetimes.now());
    }

    @Test
    void theClockNeverGoesBackAndIsUnrecordedOnlyWhileSomethingCanEnd() {
        Lifetimes lifetimes = tree.lifetimes();
        lifetimes.pass(100);
        assertThat(lifetimes.isUnrecorded()).isFalse();
        Node node = node();
        tree.extras().setDeadline(node, 150);
        assertThat(node.remainingMillis()).isEqualTo(50);
        assertThat(lifetimes.isUnrecorded()).isTrue();
        lifetimes.record(90);
        assertThat(lifetimes.now()).isEqualTo(100);
        lifetimes.record(120);
        assertThat(lifetimes.isUnrecorded()).isFalse();
        assertThat(node.remainingMillis()).isEqualTo(30);
        lifetimes.pass(40);
        assertThat(node.remainingMillis()).isZero();
        assertThat(lifetimes.due()).isSameAs(node);
    }

    @Test
    void aNodeHasMoreThanSharedAttributesOnlyWhileItNeedsThem() {
        Node node = node();
        AttributeSource shared = node.attributes;
        tree.extras().setDeadline(node, 5);
        tree.extras().setSession(node, 7);
        assertThat(node.extras()).isNotNull();
        tree.setAttributes(node, node.attributes().withMode(0400));
        assertThat(node.attributes().mode()).isEqualTo(0400);
        assertThat(node.boundSession()).isEqualTo(7);
        tree.setAttributes(node, tree.root().attributes());
        tree.extras().setSession(node, 0);
        assertThat(node.deadline()).isEqualTo(5);
        tree.extras().setDeadline(node, Long.MAX_VALUE);
        assertThat(node.attributes).isSameAs(shared);
        assertThat(tree.lifetimes().size()).isZero();
    }
}
