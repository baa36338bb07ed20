// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

/**
 * Keys by which hosts register for reservations. That of a storage server has the highest bit. That
 * of a client tells, in its upper half, the epoch up to which nothing of revoked blocks is under
 * way; the lower half is random, so that keys tell hosts apart. Stateless.
 */
public final class HostKey {
    private static final long SERVER = Long.MIN_VALUE;
    private static final long MAX_EPOCH = (1L << 31) - 1;

    /** No host has this key: to ask for something about it changes nothing. */
    public static final long NOBODY = MAX_EPOCH << 32;

    private HostKey() {}

    /**
     * The key of a client.
     *
     * @param salt of one connection; 0 counts as 1, since a key of 0 means none
     */
    public static long ofClient(long epoch, int salt) {
        if (epoch < 0 || epoch > MAX_EPOCH) {
            throw new IllegalArgumentException("epoch " + epoch + " does not fit a key");
        }
        return (epoch << 32) | ((salt == 0 ? 1 : salt) & 0xFFFF_FFFFL);
    }

    /** The key of one life of a storage server. */
    public static long ofServer(long random) {
        return random | SERVER;
    }

    public static boolean isServer(long key) {
        return key < 0;
    }

    /** What the key of a client tells. */
    public static long epoch(long key) {
        return key >>> 32;
    }
}
