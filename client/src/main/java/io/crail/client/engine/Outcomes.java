// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Turns what a future holds into a value or an error of crail. */
public final class Outcomes {
    private Outcomes() {}

    /** The error behind what a future failed with. */
    public static CrailException cause(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof CrailException known) {
            return known;
        }
        return new InternalException("defect in the client: " + cause, cause);
    }

    /** What to do with an outcome: the cause is null if the step succeeded. */
    @FunctionalInterface
    public interface Handler<T> {
        void done(T value, @Nullable CrailException cause);
    }

    /** Runs the handler when the step is done; what the handler throws goes nowhere. */
    public static <T> void whenDone(CompletableFuture<T> step, Handler<T> handler) {
        CompletableFuture<T> unused =
                step.whenComplete(
                        (value, failure) ->
                                handler.done(value, failure == null ? null : cause(failure)));
    }

    /** Passes an outcome on. */
    public static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
        whenDone(
                from,
                (value, cause) -> {
                    if (cause == null) {
                        to.complete(value);
                    } else {
                        to.completeExceptionally(cause);
                    }
                });
    }

    /** The value of a step that is done, or else the cause its operation was called off with. */
    static <T> T get(Operation operation, CompletableFuture<T> step) throws CrailException {
        CrailException cancelled = operation.cancelled();
        if (!step.isDone() && cancelled != null) {
            throw rethrown(cancelled);
        }
        try {
            return step.join();
        } catch (CompletionException | CancellationException e) {
            throw rethrown(cause(e));
        }
    }

    /** The error with the stack of the thread that gets it; the original one is its cause. */
    private static CrailException rethrown(CrailException cause) {
        return CrailException.of(cause.code(), String.valueOf(cause.getMessage()), cause);
    }
}
