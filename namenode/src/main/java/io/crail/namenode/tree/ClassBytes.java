// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.Arrays;

/**
 * Bytes by storage class, for the classes that have any: two short arrays in order of the classes.
 * Not thread-safe.
 */
public final class ClassBytes {
    private int[] classes = {};
    private long[] bytes = {};

    /** Adds bytes to a class, or takes them away. */
    public void add(int storageClass, long more) {
        int at = Arrays.binarySearch(classes, storageClass);
        if (at >= 0) {
            bytes[at] += more;
            if (bytes[at] == 0) {
                remove(at);
            }
        } else if (more != 0) {
            insert(-at - 1, storageClass, more);
        }
    }

    /** Adds those of {@code other}, so many times. */
    public void add(ClassBytes other, int times) {
        for (int i = 0; i < other.classes.length; i++) {
            add(other.classes[i], times * other.bytes[i]);
        }
    }

    private void insert(int at, int storageClass, long more) {
        int count = classes.length;
        int[] newClasses = Arrays.copyOf(classes, count + 1);
        long[] newBytes = Arrays.copyOf(bytes, count + 1);
        System.arraycopy(classes, at, newClasses, at + 1, count - at);
        System.arraycopy(bytes, at, newBytes, at + 1, count - at);
        newClasses[at] = storageClass;
        newBytes[at] = more;
        classes = newClasses;
        bytes = newBytes;
    }

    private void remove(int at) {
        int count = classes.length;
        int[] newClasses = Arrays.copyOf(classes, count - 1);
        long[] newBytes = Arrays.copyOf(bytes, count - 1);
        System.arraycopy(classes, at + 1, newClasses, at, count - at - 1);
        System.arraycopy(bytes, at + 1, newBytes, at, count - at - 1);
        classes = newClasses;
        bytes = newBytes;
    }

    public long of(int storageClass) {
        int at = Arrays.binarySearch(classes, storageClass);
        return at < 0 ? 0 : bytes[at];
    }

    /** Of all classes together. */
    public long sum() {
        long sum = 0;
        for (long each : bytes) {
            sum += each;
        }
        return sum;
    }

    /** How many classes have bytes. */
    int size() {
        return classes.length;
    }

    int classAt(int index) {
        return classes[index];
    }

    long bytesAt(int index) {
        return bytes[index];
    }

    /** The classes that have bytes, ascending. */
    public int[] classes() {
        return classes.clone();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < classes.length; i++) {
            text.append(i == 0 ? "" : ", ").append(classes[i]).append('=').append(bytes[i]);
        }
        return text.append('}').toString();
    }
}
