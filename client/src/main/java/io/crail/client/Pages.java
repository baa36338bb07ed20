// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.error.CrailException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** Walks over pages, fetching the next one when it is needed. Not thread-safe. */
final class Pages<T> implements CrailIterator<T> {
    /** One page; {@code more}: whether there is another behind it. */
    record Page<T>(List<T> entries, boolean more) {}

    /** Fetches the page behind an entry; null for the first one. */
    @FunctionalInterface
    interface Source<T> {
        Page<T> after(@Nullable T last) throws CrailException;
    }

    private final Source<T> source;
    private Iterator<T> current;
    private boolean more;
    private @Nullable T last;

    Pages(Source<T> source) throws CrailException {
        this.source = source;
        Page<T> first = source.after(null);
        current = first.entries().iterator();
        more = first.more();
    }

    @Override
    public boolean hasNext() throws CrailException {
        while (!current.hasNext() && more) {
            Page<T> page = source.after(last);
            current = page.entries().iterator();
            more = page.more();
        }
        return current.hasNext();
    }

    @Override
    public T next() throws CrailException {
        if (!hasNext()) {
            throw new NoSuchElementException("no more entries");
        }
        T next = current.next();
        last = next;
        return next;
    }
}
