// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.namenode.inline.InlineMemory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Appending to streams and trimming them, and which of them must be looked after: those that lose
 * records by age, and those with runs that are still to be freed.
 */
public final class StreamChanges {
    private final Tree tree;
    private final Set<StreamNode> tended = new LinkedHashSet<>();

    StreamChanges(Tree tree) {
        this.tree = tree;
    }

    /**
     * Appends inline frames.
     *
     * @param bytes of these frames
     * @param handle where they lie, together with those of the run that grows by them if one does
     */
    public void appendInline(StreamNode stream, int records, int bytes, long handle, long time) {
        change(
                stream,
                time,
                () -> {
                    stream.appendInline(tree.inline(), records, bytes, handle, time);
                    return new ClassBytes();
                });
    }

    /** Appends a run in blocks that are committed already. */
    public void appendBlocks(StreamNode stream, int records, ExtentList blocks, long time) {
        change(
                stream,
                time,
                () -> {
                    add(stream, stream.next, stream.end, records, blocks, time);
                    tree.useClock().used(stream);
                    stream.next += records;
                    stream.end += blocks.length();
                    return tree.classes().of(blocks, 0, blocks.count());
                });
    }

    private static void add(
            StreamNode stream,
            long first,
            long position,
            int records,
            ExtentList blocks,
            long time) {
        for (int i = 0; i < blocks.count(); i++) {
            stream.extents.append(
                    position + blocks.offset(i),
                    blocks.server(i),
                    blocks.segment(i),
                    blocks.record(i),
                    blocks.blockLength(i),
                    blocks.generation(i),
                    blocks.length(i),
                    blocks.tailCrc(i));
        }
        stream.add(
                new StreamRun(
                        first,
                        position,
                        records,
                        (int) blocks.length(),
                        blocks.count(),
                        KeyValueNode.NOT_INLINE,
                        time));
    }

    /** Makes a record the first one, and removes the first runs, whose blocks are free already. */
    public void trim(StreamNode stream, long first, int runs) {
        change(
                stream,
                stream.modifiedMillis,
                () -> {
                    stream.first = Math.max(stream.first, first);
                    int freed = 0;
                    for (int i = 0; i < runs; i++) {
                        freed += stream.run(i).blocks;
                    }
                    ClassBytes blocks = new ClassBytes();
                    blocks.add(tree.classes().of(stream.extents, 0, freed), -1);
                    for (int i = 0; i < runs; i++) {
                        stream.removeFirst(tree.inline());
                    }
                    return blocks;
                });
        tend(stream);
    }

    /** Does a change, which tells the bytes of the blocks that came or went. */
    private void change(StreamNode stream, long time, Supplier<ClassBytes> change) {
        tree.touch(stream);
        ClassBytes blocks = change.get();
        long length = stream.length;
        stream.recount();
        stream.modifiedMillis = time;
        if (stream.parent != null) {
            tree.accounts().bytes(stream.parent, stream, stream.length - length, blocks);
        }
    }

    /** Sets the counters of a new stream as a snapshot has them; its runs come after. */
    public void restore(StreamNode stream, long first, long next, long end) {
        stream.first = first;
        stream.next = next;
        stream.end = end;
    }

    /** Adds a run of a snapshot; its extents are named by their offsets among all frames. */
    public void restoreInline(
            StreamNode stream, long first, long position, int records, long handle, long time) {
        int bytes = tree.inline().length(handle);
        stream.add(new StreamRun(first, position, records, bytes, 0, handle, time));
        stream.inlineBytes += bytes;
        stream.recount();
        tend(stream);
    }

    /** As {@link #restoreInline}, for a run in blocks. */
    public void restoreBlocks(
            StreamNode stream, long first, long position, int records, ExtentList list, long time) {
        add(stream, first, position, records, list, time);
        stream.recount();
        tend(stream);
    }

    void tend(StreamNode stream) {
        if (!stream.detached && (stream.retention.maxAgeMillis() > 0 || stream.hasLeftovers())) {
            tended.add(stream);
        } else {
            tended.remove(stream);
        }
    }

    /** What is being taken apart needs no further care. */
    void detach(StreamNode stream) {
        stream.detached = true;
        tended.remove(stream);
    }

    void forget(StreamNode stream) {
        tended.remove(stream);
        InlineMemory memory = tree.inline();
        for (int i = 0; i < stream.runs(); i++) {
            if (stream.run(i).isInline()) {
                memory.free(stream.run(i).handle);
            }
        }
    }

    /** Streams to be looked after, at most {@code limit}, others each time. */
    public List<StreamNode> tended(int limit) {
        List<StreamNode> turn = new ArrayList<>();
        Iterator<StreamNode> all = tended.iterator();
        while (all.hasNext() && turn.size() < limit) {
            turn.add(all.next());
        }
        for (StreamNode stream : turn) {
            tended.remove(stream);
            tended.add(stream);
        }
        return turn;
    }
}
