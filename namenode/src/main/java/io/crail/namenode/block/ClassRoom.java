// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/**
 * What the servers of one storage class have together, dead ones left out. Kept with every change,
 * because each put asks for it: a sum over all servers would cost more the larger the cluster is.
 */
public final class ClassRoom {
    private final int storageClass;
    private long free;
    private long capacity;

    ClassRoom(int storageClass) {
        this.storageClass = storageClass;
    }

    int storageClass() {
        return storageClass;
    }

    void add(long freeBytes, long allBytes) {
        free += freeBytes;
        capacity += allBytes;
    }

    /** Bytes that are free. */
    public long free() {
        return free;
    }

    /** All bytes. */
    public long capacity() {
        return capacity;
    }
}
