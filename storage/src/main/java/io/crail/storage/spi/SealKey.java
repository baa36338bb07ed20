// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.spi;

import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A key that can be compared, and is printed by nobody. Immutable. */
public final class SealKey {
    private final byte[] bytes;

    public SealKey(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SealKey key && MessageDigest.isEqual(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
