// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.status;

import io.crail.error.CrailException;
import java.util.Optional;

/** A server that can be looked at. Thread-safe; every method returns within a bounded time. */
public interface StatusSource {
    /** What the server is, as in {@code crail_<role>_...}. */
    String role();

    /**
     * Puts all values in.
     *
     * @throws CrailException if the server does not say
     */
    void collect(Scrape scrape) throws CrailException;

    /** Why the server does not serve as it should; empty if it does. */
    Optional<String> problem();
}
