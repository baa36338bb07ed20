// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;

/**
 * Elements that are made when they are asked for.
 *
 * @param <T> what they are
 */
final class Generated<T> implements Iterator<T> {
    private final int count;
    private final IntFunction<T> maker;
    private int next;

    Generated(int count, IntFunction<T> maker) {
        this.count = count;
        this.maker = maker;
    }

    @Override
    public boolean hasNext() {
        return next < count;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return maker.apply(next++);
    }
}
