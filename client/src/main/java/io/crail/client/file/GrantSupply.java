// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.Grant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The granted blocks that a writer has not begun yet. On the writer's strand.
 *
 * <p>How much is asked for: what is left, exactly, when the writer closes; as much as the file has
 * already (up to a block) when it is synced bit by bit, so that block sizes grow geometrically; a
 * stretch ahead, in full blocks, when bytes keep coming.
 */
final class GrantSupply {
    private static final long FIRST_STRETCH = 4L << 20;
    private static final long LONGEST_STRETCH = 64L << 20;

    /** Below this, the end of a file gets a block that fits instead of one at hand. */
    private static final int WORTH_FITTING = 512 << 10;

    private final WriterContext context;
    private final ArrayDeque<BlockReference> available = new ArrayDeque<>();
    private final Set<Integer> excluded = new TreeSet<>();
    private boolean asking;
    private boolean fitted;

    GrantSupply(WriterContext context) {
        this.context = context;
    }

    void add(List<BlockReference> grants) {
        available.addAll(grants);
    }

    /**
     * A block for the next bytes, or null: then it is asked for, and the writer is told to go on.
     *
     * @param known bytes that are there to be written
     * @param closing that is all there will be
     * @param flushing they must be written now, though more may come
     */
    @Nullable BlockReference take(long known, boolean closing, boolean flushing, long position) {
        BlockReference first = available.peek();
        if (first != null && closing && !fitted && wastes(first, known)) {
            fitted = true;
            ask(known, true);
            return null;
        }
        if (asking && fitted) {
            return null;
        }
        if (first != null) {
            available.remove();
            // Blocks' worth that is flushed comes in large buffers, and more of them will follow.
            boolean more = !flushing || known >= BlockGeometry.MAX_BLOCK;
            if (!closing && more && available.size() <= enough(position)) {
                ask(stretch(position), false);
            }
            return first;
        }
        if (closing) {
            ask(known, true);
        } else if (flushing && known < BlockGeometry.MAX_BLOCK) {
            ask(Math.max(known, Math.min(BlockGeometry.MAX_BLOCK, position)), true);
        } else {
            ask(Math.max(known, stretch(position)), false);
        }
        return null;
    }

    /** Whether a block that fits would be at most half as large. */
    private static boolean wastes(BlockReference block, long known) {
        if (known > WORTH_FITTING) {
            return false;
        }
        long fitting = BlockGeometry.MIN_BLOCK;
        while (fitting < known) {
            fitting *= 2;
        }
        return block.length() >= 2 * fitting;
    }

    /**
     * With how many blocks in hand more are asked for: half a stretch, which takes at least a
     * millisecond to be filled by copying memory. The call seldom takes longer, even from a
     * namenode that was started a moment ago.
     */
    private static int enough(long position) {
        return (int) (stretch(position) / BlockGeometry.MAX_BLOCK / 2);
    }

    private static long stretch(long position) {
        return Math.min(LONGEST_STRETCH, Math.max(FIRST_STRETCH, position));
    }

    private void ask(long bytes, boolean exact) {
        if (asking) {
            return;
        }
        asking = true;
        ask(
                bytes,
                exact,
                excluded,
                failure -> {
                    asking = false;
                    context.granted(failure);
                });
    }

    private void ask(
            long bytes,
            boolean exact,
            Set<Integer> without,
            Consumer<@Nullable CrailException> answer) {
        Operation operation = context.begin("grant blocks for ");
        Outcomes.whenDone(
                context.call(
                        operation,
                        new Grant.Request(
                                context.node(),
                                context.handle(),
                                new byte[0],
                                Math.min(bytes, LONGEST_STRETCH),
                                exact,
                                without.stream().mapToInt(Integer::intValue).toArray())),
                (reply, cause) -> {
                    context.end(operation);
                    CrailException failure = cause;
                    if (failure == null) {
                        try {
                            accept(Grant.Reply.decode(reply.control()).grants(), exact);
                        } catch (CrailException e) {
                            failure = e;
                        }
                    }
                    answer.accept(failure);
                });
    }

    /** Bytes of the grants on other servers. */
    long bytesElsewhere(int server) {
        return available.stream()
                .filter(grant -> grant.server() != server)
                .mapToLong(BlockReference::length)
                .sum();
    }

    /**
     * Asks for blocks on other servers, without giving up those on this one.
     *
     * @param answer told whether there are some now
     */
    void secure(int server, long bytes, Consumer<Boolean> answer) {
        Set<Integer> without = new TreeSet<>(excluded);
        without.add(server);
        ask(bytes, true, without, failure -> answer.accept(failure == null));
    }

    private void accept(List<BlockReference> grants, boolean first) throws OutOfSpaceException {
        if (grants.isEmpty()) {
            throw new OutOfSpaceException(context.path() + ": the namenode granted no block");
        }
        if (first) {
            for (int i = grants.size() - 1; i >= 0; i--) {
                available.addFirst(grants.get(i));
            }
        } else {
            available.addAll(grants);
        }
    }

    /** The block that is begun next, as far as is known. */
    @Nullable BlockReference next() {
        return available.peek();
    }

    boolean isEmpty() {
        return available.isEmpty();
    }

    /** Gives up what is there; nothing if more has been asked for. */
    List<BlockId> drain() {
        if (asking) {
            return List.of();
        }
        List<BlockId> unused = available.stream().map(BlockReference::id).toList();
        available.clear();
        fitted = false;
        return unused;
    }

    /** Blocks there are not used again; returns the grants on that server. */
    List<BlockId> exclude(int server) {
        excluded.add(server);
        List<BlockId> useless = new ArrayList<>();
        for (Iterator<BlockReference> all = available.iterator(); all.hasNext(); ) {
            BlockReference grant = all.next();
            if (grant.server() == server) {
                useless.add(grant.id());
                all.remove();
            }
        }
        return useless;
    }
}
