// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.client.BlockLocation;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.LostOutputs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Looks which outputs are lost when one could not be read, so that the driver can be told of all of
 * them. Spark learns of one lost output by a failed task, and gives up when a stage has failed four
 * times; a storage server that is lost has a part of most outputs. It is told before the task
 * fails, so that the next attempt of the map stage makes all of them again. Belongs to the thread
 * of the task.
 *
 * <p>The output that could not be read is asked for first, by itself: where nobody answers that,
 * nothing else is asked. The first question of which the answer is neither where the bytes are nor
 * that they are lost ends it, and so does a time that all questions have together: the task has
 * waited long enough for what failed.
 */
final class LossSurvey {
    private static final int AT_A_TIME = 64;
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private record Question(MapBlocks blocks, Future<List<BlockLocation>> places) {}

    private final Function<MapBlocks, Future<List<BlockLocation>>> namenode;
    private final TaskWait waiting;
    private final long end;
    private final List<LostOutputs.Output> lost = new ArrayList<>();

    /**
     * A survey that has asked nothing.
     *
     * @param namenode is asked where the bytes of an output are
     * @param longest time for all questions, from now on
     */
    LossSurvey(
            Function<MapBlocks, Future<List<BlockLocation>>> namenode,
            TaskWait waiting,
            Duration longest) {
        this.namenode = namenode;
        this.waiting = waiting;
        this.end = System.nanoTime() + longest.toNanos();
    }

    static LossSurvey of(ApplicationStore store, int shuffle, TaskWait waiting) {
        Duration usual = store.client().config().deadline();
        Duration longest = usual.compareTo(LONGEST) < 0 ? usual : LONGEST;
        CrailClient client = store.client().withDeadline(longest);
        return new LossSurvey(
                each -> client.locationsAsync(store.outputPath(shuffle, each.mapId())),
                waiting,
                longest);
    }

    /** Those that are lost, as far as has been found. */
    List<LostOutputs.Output> lost() {
        return List.copyOf(lost);
    }

    /**
     * Asks where the bytes of these outputs are.
     *
     * @param unread the output that could not be read
     * @return whether there was an answer for that one
     */
    boolean ask(MapBlocks unread, List<MapBlocks> outputs) throws IOException {
        if (!hear(new Question(unread, namenode.apply(unread)))) {
            return false;
        }
        ArrayDeque<Question> asked = new ArrayDeque<>();
        boolean answered = true;
        for (MapBlocks each : outputs) {
            if (!answered) {
                break;
            }
            if (!each.equals(unread)) {
                asked.add(new Question(each, namenode.apply(each)));
            }
            if (asked.size() == AT_A_TIME) {
                answered = hear(asked.remove());
            }
        }
        while (answered && !asked.isEmpty()) {
            answered = hear(asked.remove());
        }
        asked.forEach(each -> each.places.cancel(true));
        return true;
    }

    /** Whether there is an answer. */
    private boolean hear(Question question) throws IOException {
        boolean isLost;
        try {
            isLost =
                    waiting.await(question.places, end - System.nanoTime()).stream()
                            .anyMatch(BlockLocation::lost);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof CrailException cause) || !saysLost(cause.code())) {
                return false;
            }
            isLost = true;
        } catch (TimeoutException e) {
            question.places.cancel(true);
            return false;
        }
        if (isLost) {
            lost.add(new LostOutputs.Output(question.blocks.mapIndex(), question.blocks.mapId()));
        }
        return true;
    }

    /** Other errors may pass. */
    private static boolean saysLost(ErrorCode code) {
        return code == ErrorCode.NO_SUCH_NODE || code == ErrorCode.SERVER_LOST;
    }
}
