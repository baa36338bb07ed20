// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.client.CrailFuture;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import java.util.concurrent.ExecutionException;

/** Waits for an asynchronous call as a blocking one does. */
final class Outcome {
    private Outcome() {}

    static <T> T of(CrailFuture<T> call) throws CrailException {
        try {
            return call.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CrailException known) {
                throw CrailException.of(known.code(), String.valueOf(known.getMessage()), known);
            }
            throw new InternalException("a call of the client failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted");
        }
    }
}
