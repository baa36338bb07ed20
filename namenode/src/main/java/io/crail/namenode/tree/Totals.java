// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.protocol.node.NodeType;
import org.jspecify.annotations.Nullable;

/**
 * Sums over a subtree: what quotas and {@code du} ask for. Kept exact by every change, so that
 * asking is one lookup.
 */
public final class Totals {
    long directories;
    long files;
    long tables;
    long keyValues;
    long length;
    long allocated;

    /**
     * The part of {@link #allocated} in storage classes other than 0; null = none. Most clusters
     * have one class, and most directories nothing in a second one.
     */
    private @Nullable ClassBytes others;

    /** Nodes of type DIRECTORY and MULTIFILE. */
    public long directories() {
        return directories;
    }

    /** FILE and STREAM nodes. */
    public long files() {
        return files;
    }

    public long tables() {
        return tables;
    }

    public long keyValues() {
        return keyValues;
    }

    public long length() {
        return length;
    }

    public long allocated() {
        return allocated;
    }

    /** Nodes of all types. */
    public long nodes() {
        return directories + files + tables + keyValues;
    }

    /** Bytes of blocks in a storage class. */
    public long allocated(int storageClass) {
        if (storageClass == 0) {
            return others == null ? allocated : allocated - others.sum();
        }
        return others == null ? 0 : others.of(storageClass);
    }

    /** Bytes of blocks by storage class. */
    public ClassBytes byClass() {
        ClassBytes all = new ClassBytes();
        all.add(0, allocated(0));
        if (others != null) {
            all.add(others, 1);
        }
        return all;
    }

    /** Counts blocks that come, or with a sign of -1 go. */
    void addBlocks(ClassBytes blocks, int sign) {
        for (int i = 0; i < blocks.size(); i++) {
            allocated += sign * blocks.bytesAt(i);
            addToOthers(blocks.classAt(i), sign * blocks.bytesAt(i));
        }
    }

    private void addToOthers(int storageClass, long bytes) {
        if (storageClass == 0) {
            return;
        }
        if (others == null) {
            others = new ClassBytes();
        }
        others.add(storageClass, bytes);
        if (others.size() == 0) {
            others = null;
        }
    }

    /** Adds {@code other}, {@code sign} times (+1 or -1). */
    void add(Totals other, int sign) {
        directories += sign * other.directories;
        files += sign * other.files;
        tables += sign * other.tables;
        keyValues += sign * other.keyValues;
        length += sign * other.length;
        allocated += sign * other.allocated;
        if (other.others != null) {
            for (int i = 0; i < other.others.size(); i++) {
                addToOthers(other.others.classAt(i), sign * other.others.bytesAt(i));
            }
        }
    }

    /** Becomes equal to {@code other}. */
    void set(Totals other) {
        directories = other.directories;
        files = other.files;
        tables = other.tables;
        keyValues = other.keyValues;
        length = other.length;
        allocated = 0;
        others = null;
        addBlocks(other.byClass(), 1);
    }

    void count(NodeType type, int by) {
        switch (type) {
            case DIRECTORY, MULTIFILE -> directories += by;
            case FILE, STREAM -> files += by;
            case TABLE -> tables += by;
            case KEYVALUE -> keyValues += by;
        }
    }

    boolean isZero() {
        return (directories | files | tables | keyValues | length | allocated) == 0;
    }
}
