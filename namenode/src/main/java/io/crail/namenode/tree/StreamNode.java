// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.namenode.inline.InlineMemory;
import io.crail.protocol.node.NodeType;
import org.jspecify.annotations.Nullable;

/**
 * A STREAM: records in one order, kept in runs. All extents stand in one list, in the order of the
 * runs, by the position of their bytes among all frames ever appended; what is inline leaves a gap
 * there.
 *
 * <p>Records before {@link #first} are gone for readers. The runs that hold only such records go in
 * slices, so there may be some of them in front.
 */
public final class StreamNode extends Node {
    /** Frames are put together inline up to this size: fewer runs, and little to copy each time. */
    public static final int MERGED_BYTES = 8 << 10;

    final ExtentList extents = new ExtentList();
    final long createdMillis;
    final Retention retention;
    private StreamRun[] runs = new StreamRun[4];
    private int removed;
    private int count;
    long first;
    long next;

    /** Position of the next frame. */
    long end;

    int inlineBytes;

    /** Whether it is being taken apart. */
    boolean detached;

    long length;
    long allocated;

    StreamNode(
            long id,
            AttributePool.Interned attributes,
            Retention retention,
            long createdMillis,
            long modifiedMillis) {
        super(id, attributes, modifiedMillis);
        this.retention = retention;
        this.createdMillis = createdMillis;
    }

    @Override
    public NodeType type() {
        return NodeType.STREAM;
    }

    public Retention retention() {
        return retention;
    }

    /** Offset of the first record that is still there, or of the next one if there is none. */
    public long first() {
        return first;
    }

    /** Offset of the next record. */
    public long next() {
        return next;
    }

    /** Position of the next frame among all frames ever appended. */
    public long end() {
        return end;
    }

    public int runs() {
        return count;
    }

    public StreamRun run(int index) {
        assert index >= 0 && index < count;
        return runs[removed + index];
    }

    /** Bytes of the frames that are kept inline. */
    public int inlineBytes() {
        return inlineBytes;
    }

    /** Index of the run that holds a record; the number of runs if that is to come. */
    public int find(long offset) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            StreamRun run = run(middle);
            if (offset < run.first) {
                high = middle - 1;
            } else if (offset >= run.end()) {
                low = middle + 1;
            } else {
                return middle;
            }
        }
        return count;
    }

    /** The last run if further inline frames are put into it. */
    public @Nullable StreamRun growing(int bytes) {
        if (count == 0) {
            return null;
        }
        StreamRun last = run(count - 1);
        return last.isInline() && last.bytes + bytes <= MERGED_BYTES ? last : null;
    }

    /** Whether the first run holds nothing but records that are gone. */
    public boolean hasLeftovers() {
        return count > 0 && run(0).end() <= first;
    }

    @Override
    public ExtentList extents() {
        return extents;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public long allocated() {
        return allocated;
    }

    @Override
    public int blocks() {
        return extents.count();
    }

    @Override
    public long version() {
        return next;
    }

    @Override
    public long createdMillis() {
        return createdMillis;
    }

    @Override
    int statusFlags() {
        return 0;
    }

    // Changes, made by StreamChanges.

    /** Inline frames, in a value of their own, or, with those of the last run, in a new one. */
    void appendInline(InlineMemory memory, int records, int bytes, long handle, long time) {
        StreamRun last = growing(bytes);
        if (last == null) {
            add(new StreamRun(next, end, records, bytes, 0, handle, time));
        } else {
            memory.free(last.handle);
            last.handle = handle;
            last.records += records;
            last.bytes += bytes;
            last.time = time;
        }
        inlineBytes += bytes;
        next += records;
        end += bytes;
    }

    /** A run whose extents have been added; or one of a snapshot. */
    void add(StreamRun run) {
        if (removed + count == runs.length) {
            if (removed > count) {
                System.arraycopy(runs, removed, runs, 0, count);
                java.util.Arrays.fill(runs, count, runs.length, null);
                removed = 0;
            } else {
                runs = java.util.Arrays.copyOf(runs, 2 * runs.length);
            }
        }
        runs[removed + count++] = run;
    }

    @SuppressWarnings("NullAway") // Slots in front of the first run are empty.
    void removeFirst(InlineMemory memory) {
        StreamRun run = run(0);
        assert run.end() <= first;
        if (run.isInline()) {
            memory.free(run.handle);
            inlineBytes -= run.bytes;
        } else {
            extents.removeFirst(run.blocks);
        }
        runs[removed++] = null;
        count--;
    }

    void recount() {
        length = count == 0 ? 0 : end - run(0).position;
        allocated = extents.allocated();
    }
}
