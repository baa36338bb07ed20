// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

/**
 * Where a run of a file's bytes lies.
 *
 * @param offset position in the file
 * @param length bytes
 * @param server id of the storage server
 * @param host name of its host
 * @param endpoint {@code host:port} of its first endpoint, "" if it is out of reach
 * @param locationClass its location class
 * @param storageClass its storage class
 * @param lost whether the bytes cannot be read, because the server is dead or came back without
 *     them
 */
public record BlockLocation(
        long offset,
        long length,
        int server,
        String host,
        String endpoint,
        String locationClass,
        int storageClass,
        boolean lost) {}
