// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

/**
 * When the bytes of each node in blocks were used last, and how often they were read of late: what
 * decides which node is cold and which is hot (docs/adr/0020-tiering.md).
 *
 * <p>Coarse, and for nothing but that decision: seconds of this life of the namenode, not logged,
 * not in snapshots. A node that was not used since the start is as cold as can be. It is one {@code
 * int} in the node's {@link ExtentList}, where it takes no memory, because objects are rounded up;
 * values that the namenode keeps inline have none. A use is a read, a comparison and a write of
 * that word: nothing is allocated, and no list is kept in order.
 *
 * <p>A node that has been read so often that it should be in a better class is put into a ring of a
 * bounded number of candidates, once for so many reads. If the ring is full it is not; it will be
 * read again, if it is hot.
 */
public final class UseClock {
    /** Candidates for a better class that are remembered. */
    static final int MAX_CANDIDATES = 1024;

    private static final int COUNT_BITS = 6;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;

    /** After two years all that is used looks as if it were used then. */
    private static final int MAX_SECONDS = Integer.MAX_VALUE >>> (COUNT_BITS - 1);

    /** Reads further apart than this do not count together. */
    static final int WINDOW_SECONDS = 600;

    private final BlockClasses classes;
    private final long[] candidates = new long[MAX_CANDIDATES];
    private int firstCandidate;
    private int candidateCount;
    private int seconds;

    UseClock(BlockClasses classes) {
        this.classes = classes;
    }

    /** Seconds since the start, from 1 on: 0 stands for what was not used. */
    public void advance(long now) {
        seconds = (int) Math.min(MAX_SECONDS, now);
    }

    public int seconds() {
        return seconds;
    }

    /** The bytes of a node are being written or read, as part of something that was counted. */
    public void used(Node node) {
        ExtentList extents = node.extents();
        if (extents != null) {
            used(extents);
        }
    }

    void used(ExtentList extents) {
        extents.use = (seconds << COUNT_BITS) | (extents.use & COUNT_MASK);
    }

    /**
     * Somebody begins to read a node.
     *
     * @param often so many reads make a node hot
     */
    public void read(Node node, int often) {
        ExtentList extents = node.extents();
        if (extents == null) {
            return;
        }
        boolean together = seconds - (extents.use >>> COUNT_BITS) <= WINDOW_SECONDS;
        int count = together ? (extents.use & COUNT_MASK) + 1 : 1;
        if (count >= Math.min(often, COUNT_MASK)) {
            count = 0;
            if (classes.areSeveral() && couldBeBetter(node, extents)) {
                offer(node.id());
            }
        }
        extents.use = (seconds << COUNT_BITS) | count;
    }

    /** Looks at both ends only: what lies between them is found when it is moved. */
    private boolean couldBeBetter(Node node, ExtentList extents) {
        int wanted = node.attributes().storageClass();
        int count = extents.count();
        return count > 0
                && (classes.of(extents.server(0)) > wanted
                        || classes.of(extents.server(count - 1)) > wanted);
    }

    /** When the bytes of a list were used last; 0 = not in this life. */
    public static int lastUse(ExtentList extents) {
        return extents.use >>> COUNT_BITS;
    }

    /** A node that may be hot; dropped if too many are waiting. */
    public void offer(long node) {
        if (candidateCount < MAX_CANDIDATES) {
            candidates[(firstCandidate + candidateCount++) % MAX_CANDIDATES] = node;
        }
    }

    public int candidates() {
        return candidateCount;
    }

    /** Takes the candidate that has waited longest; it may be gone, and no longer hot. */
    public long takeCandidate() {
        if (candidateCount == 0) {
            throw new IllegalStateException("there is no candidate");
        }
        long node = candidates[firstCandidate];
        firstCandidate = (firstCandidate + 1) % MAX_CANDIDATES;
        candidateCount--;
        return node;
    }
}
