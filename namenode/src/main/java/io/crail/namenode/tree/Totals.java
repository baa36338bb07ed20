// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.protocol.node.NodeType;

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

    /** Adds {@code other}, {@code sign} times (+1 or -1). */
    void add(Totals other, int sign) {
        directories += sign * other.directories;
        files += sign * other.files;
        tables += sign * other.tables;
        keyValues += sign * other.keyValues;
        length += sign * other.length;
        allocated += sign * other.allocated;
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
