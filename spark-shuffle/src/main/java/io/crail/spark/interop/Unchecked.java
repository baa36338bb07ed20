// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.interop;

/** Throws checked exceptions where Scala's interfaces do not say so and Spark expects them. */
public final class Unchecked {
    private Unchecked() {}

    /**
     * Throws.
     *
     * @return never; so that the compiler sees that nothing follows
     */
    public static RuntimeException rethrow(Throwable cause) {
        throw Unchecked.<RuntimeException>raise(cause);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException raise(Throwable cause) throws E {
        throw (E) cause;
    }
}
