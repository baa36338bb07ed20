// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * One key of a scan.
 *
 * @param key the key
 * @param version version of its value
 * @param length bytes of its value
 * @param modifiedMillis when it was put, by the namenode's clock
 * @param remainingMillis time left to live, -1 = without an end
 * @param value the value, if it was asked for and is small enough to travel with the page
 */
public record TableEntry(
        byte[] key,
        long version,
        long length,
        long modifiedMillis,
        long remainingMillis,
        Optional<ByteBuffer> value) {}
