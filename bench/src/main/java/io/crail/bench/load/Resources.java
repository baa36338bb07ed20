// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.error.InternalException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closes several things, whatever the closing of some of them does. */
final class Resources {
    private Resources() {}

    /**
     * From the last to the first; fails with the first failure. The list is empty then, so that
     * nothing is closed twice.
     */
    static void close(List<AutoCloseable> open) throws IOException {
        List<AutoCloseable> resources = List.copyOf(open);
        open.clear();
        Exception failure = null;
        for (int i = resources.size() - 1; i >= 0; i--) {
            failure = close(resources.get(i), failure);
        }
        if (failure instanceof IOException cause) {
            throw cause;
        }
        if (failure != null) {
            throw new InternalException("a resource of the benchmark: " + failure, failure);
        }
    }

    // What is closed here throws IOException; the type cannot say so.
    private static @Nullable Exception close(AutoCloseable one, @Nullable Exception before) {
        try {
            one.close();
            return before;
        } catch (Exception e) {
            return before == null ? e : before;
        }
    }
}
