// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;

/** Keys as they are ordered byte by byte. */
final class KeyOrder implements Comparator<byte[]>, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public int compare(byte[] left, byte[] right) {
        return Arrays.compareUnsigned(left, right);
    }
}
