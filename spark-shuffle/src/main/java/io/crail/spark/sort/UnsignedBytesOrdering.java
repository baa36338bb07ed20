// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.util.Arrays;
import scala.math.Ordering;

/**
 * Arrays of bytes in the order of their bytes as unsigned numbers; of two where one begins with the
 * other, the shorter is less. A shuffle that has this order and a {@link FixedSizeSerializer} is
 * sorted without making records. Stateless, thread-safe.
 */
public final class UnsignedBytesOrdering implements Ordering<byte[]> {
    private static final long serialVersionUID = 1L;

    @Override
    public int compare(byte[] left, byte[] right) {
        return Arrays.compareUnsigned(left, right);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UnsignedBytesOrdering;
    }

    @Override
    public int hashCode() {
        return UnsignedBytesOrdering.class.hashCode();
    }
}
