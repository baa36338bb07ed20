// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;

/**
 * Walks over something that comes from the namenode in pages. Needs no closing. Not thread-safe.
 *
 * @param <T> what it yields
 */
public interface CrailIterator<T> {
    /**
     * Whether there is another element; may fetch a page.
     *
     * @throws CrailException if the page cannot be fetched; the call may be repeated
     */
    boolean hasNext() throws CrailException;

    /**
     * The next element.
     *
     * @throws CrailException if the page cannot be fetched; the call may be repeated
     * @throws java.util.NoSuchElementException if there is none
     */
    T next() throws CrailException;
}
