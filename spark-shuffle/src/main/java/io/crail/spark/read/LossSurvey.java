// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.client.BlockLocation;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.LostOutputs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Looks which outputs are lost when one could not be read, and tells the driver of all of them.
 * Spark learns of one lost output by a failed task, and gives up when a stage has failed four
 * times; a storage server that is lost has a part of most outputs. It is told before the task
 * fails, so that the next attempt of the map stage makes all of them again. Belongs to the thread
 * of the task.
 */
final class LossSurvey {
    private static final int AT_A_TIME = 64;

    private record Question(MapBlocks blocks, Future<List<BlockLocation>> places) {}

    private final ApplicationStore store;
    private final int shuffle;
    private final List<LostOutputs.Output> lost = new ArrayList<>();

    LossSurvey(ApplicationStore store, int shuffle) {
        this.store = store;
        this.shuffle = shuffle;
    }

    /** Asks where the bytes of all these outputs are, and tells of those that are nowhere. */
    void tellOfLostAmong(List<MapBlocks> outputs) throws InterruptedException {
        ArrayDeque<Question> asked = new ArrayDeque<>();
        for (MapBlocks each : outputs) {
            String path = store.outputPath(shuffle, each.mapId());
            asked.add(new Question(each, store.client().locationsAsync(path)));
            if (asked.size() == AT_A_TIME) {
                hear(asked.remove());
            }
        }
        while (!asked.isEmpty()) {
            hear(asked.remove());
        }
        if (!lost.isEmpty()) {
            store.tellDriver(new LostOutputs(shuffle, lost));
        }
    }

    private void hear(Question question) throws InterruptedException {
        boolean isLost;
        try {
            isLost = question.places.get().stream().anyMatch(BlockLocation::lost);
        } catch (ExecutionException e) {
            isLost = e.getCause() instanceof CrailException cause && saysLost(cause.code());
        }
        if (isLost) {
            lost.add(new LostOutputs.Output(question.blocks.mapIndex(), question.blocks.mapId()));
        }
    }

    /** Other errors may pass. */
    private static boolean saysLost(ErrorCode code) {
        return code == ErrorCode.NO_SUCH_NODE || code == ErrorCode.SERVER_LOST;
    }
}
