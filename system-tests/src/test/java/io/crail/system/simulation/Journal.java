// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the clients were told, and what of it must not be. */
final class Journal {
    /** Above the deadline: how often a client looks for expired operations, and its turns. */
    private static final long SLACK = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int MAX_VIOLATIONS = 20;

    /** No fault of this kind of run explains these. */
    private static final Set<ErrorCode> NEVER =
            EnumSet.of(
                    ErrorCode.PROTOCOL,
                    ErrorCode.INTERNAL,
                    ErrorCode.CORRUPT_DATA,
                    ErrorCode.WRONG_NODE_TYPE,
                    ErrorCode.ACCESS_DENIED,
                    ErrorCode.VERSION_MISMATCH,
                    ErrorCode.CLOSED,
                    ErrorCode.CANCELLED,
                    ErrorCode.INVALID_ARGUMENT,
                    ErrorCode.INVALID_NAME);

    private final Timeline timeline;
    private final Map<String, Register> registers = new HashMap<>();
    private final Map<Long, String> pending = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Set<ErrorCode> errors = EnumSet.noneOf(ErrorCode.class);
    private final List<String> failed = new ArrayList<>();
    private long operations;

    /** What becomes of a call; one of the two is null. */
    @FunctionalInterface
    interface Answer<T> {
        void is(@Nullable T value, @Nullable CrailException cause);
    }

    Journal(Timeline timeline) {
        this.timeline = timeline;
    }

    Register register(String name) {
        return registers.computeIfAbsent(name, unused -> new Register());
    }

    void violation(String what) {
        timeline.note(what.hashCode());
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(
                    "at " + TimeUnit.NANOSECONDS.toMillis(timeline.elapsed()) + " ms: " + what);
        }
    }

    /** Follows a call until its outcome, which has to come by its deadline. */
    <T> void follow(String what, ClientHost host, CompletableFuture<T> future, Answer<T> answer) {
        long id = ++operations;
        int life = host.lives();
        pending.put(id, what);
        future.whenComplete(
                        (value, failure) -> {
                            pending.remove(id);
                            answer.is(value, failure == null ? null : known(what, failure));
                        })
                .exceptionally(
                        defect -> {
                            if (!(cause(defect) instanceof CrailException)) {
                                violation(what + " broke the test: " + defect);
                            }
                            return null;
                        });
        expectDone(what, id, host, life, Limits.DEADLINE.toNanos() + SLACK);
    }

    private void expectDone(String what, long id, ClientHost host, int life, long within) {
        timeline.after(
                within,
                () -> {
                    if (!host.isUp() || host.lives() != life) {
                        pending.remove(id); // Nobody is left to hear of it.
                    } else if (host.wasFrozenWithin(SLACK)) {
                        expectDone(what, id, host, life, SLACK);
                    } else if (pending.remove(id) != null) {
                        violation(what + " had no outcome at its deadline");
                    }
                });
    }

    private CrailException known(String what, Throwable failure) {
        if (!(cause(failure) instanceof CrailException known)) {
            violation(what + " failed with " + failure);
            return CrailException.of(ErrorCode.INTERNAL, failure.toString());
        }
        timeline.note(known.code().wire());
        failed.add(what + ": " + known);
        errors.add(known.code());
        if (NEVER.contains(known.code())) {
            violation(what + " failed: " + known);
        }
        return known;
    }

    private static Throwable cause(Throwable failure) {
        Throwable inner = failure.getCause();
        return failure instanceof CompletionException && inner != null ? inner : failure;
    }

    void expectQuiet(String when) {
        if (!failed.isEmpty() || !pending.isEmpty()) {
            violation(when + ": " + failed + " " + pending.values());
        }
    }

    boolean isAllDone() {
        return pending.isEmpty();
    }

    void expectAllDone() {
        Consumer<String> tell = what -> violation(what + " has no outcome long after");
        pending.values().forEach(tell);
        pending.clear();
    }

    long operations() {
        return operations;
    }

    long failures() {
        return failed.size();
    }

    Set<ErrorCode> errors() {
        return errors;
    }

    List<String> violations() {
        return violations;
    }
}
