// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

/** Kinds of records in a snapshot. Append-only. */
final class SnapshotRecord {
    /** Counters; first in the file. */
    static final int HEADER = 1;

    static final int SERVER = 2;
    static final int SEGMENT = 3;
    static final int SLAB = 4;
    static final int SESSION = 5;

    /** Attributes that the nodes behind it refer to by number, in the order of appearance. */
    static final int ATTRIBUTES = 6;

    static final int CONTAINER = 7;
    static final int FILE = 8;
    static final int INLINE_VALUE = 9;
    static final int BLOCK_VALUE = 10;

    /** What a session holds, in records of their own: a session may hold more than one takes. */
    static final int SESSION_RESULT = 11;

    static final int SESSION_HANDLE = 12;
    static final int SESSION_GRANT = 13;

    /** Blocks of former incarnations that nodes still name, per server. */
    static final int ORPHANS = 14;

    /** Ids of detached containers and files, in the order of their queue, in parts. */
    static final int DETACHED = 15;

    /**
     * Extents of a FILE of many: parts of {@link io.crail.namenode.tree.ExtentList#PART}, in order,
     * that come before those its own record holds, and behind that record.
     */
    static final int EXTENTS = 16;

    /** Like {@link #FILE}, with the number of extents before those it holds at its end. */
    static final int LONG_FILE = 17;

    /** Members of a MULTIFILE that a session has open under one handle. */
    static final int SESSION_MEMBERS = 45;

    /** Ids of members whose handles were closed, in the order of their queue, in parts. */
    static final int RELEASED_MEMBERS = 46;

    /** When the node whose record came before goes by itself. */
    static final int LIFETIME = 50;

    /** Its extended attributes. */
    static final int XATTRS = 51;

    /** Its quota. */
    static final int QUOTA = 52;

    /** Where an unlinked FILE has its first bytes, and what it was. */
    static final int WINDOW = 63;

    /** A STREAM without its runs. */
    static final int STREAM = 40;

    /** Runs of the STREAM before, inline. */
    static final int STREAM_INLINE = 41;

    /** Runs of the STREAM before, in blocks. */
    static final int STREAM_BLOCKS = 42;

    private SnapshotRecord() {}
}
