// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

import io.crail.client.ClientConfig;
import java.util.function.BooleanSupplier;

/**
 * What a mover is told once. Immutable.
 *
 * @param client how to connect; it gets a session of its own, while there is work
 * @param server id of the storage server to work for; 0 = one that has no mover and needs one, then
 *     the next
 * @param needed whether there is anything to be done, as far as somebody knows who need not ask;
 *     asked from the mover's thread
 * @param bytesPerSecond most bytes to be moved in a second; 0 = no limit. A limit that operators
 *     set at run time replaces it
 * @param blocks blocks on their way at a time, each with up to 1 MiB of the client's buffer pool
 */
public record MoverConfig(
        ClientConfig client, int server, BooleanSupplier needed, long bytesPerSecond, int blocks) {
    /** Enough to keep a flash device or a connection busy. */
    public static final int BLOCKS = 8;

    /** Direct memory that the client of a mover needs: what is on its way, and some to spare. */
    public static final long BUFFER_BYTES = (2L * BLOCKS) << 20;

    public MoverConfig {
        if (bytesPerSecond < 0 || blocks < 1 || server < 0) {
            throw new IllegalArgumentException(
                    "a mover for server "
                            + server
                            + " of "
                            + bytesPerSecond
                            + " bytes per second and "
                            + blocks
                            + " blocks");
        }
    }

    /** Works without being told when. */
    public static MoverConfig of(ClientConfig client, int server, long bytesPerSecond) {
        return new MoverConfig(client, server, () -> true, bytesPerSecond, BLOCKS);
    }
}
