// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.store.LostOutputs;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a task throws when a map output cannot be read. Belongs to the thread of the task.
 *
 * <p>A {@code FetchFailedException} makes Spark drop the output and run its map again. That is
 * right if something is wrong with the output. Where time was over or a connection was closed, it
 * is not known what is wrong: a server may hang, or the namenode be away. The namenode is asked
 * then; if it does not answer either, no output is known to be lost, and none could be made again,
 * so the task fails with a plain error, and Spark tries it again with the outputs that there are.
 *
 * @param shuffle its number
 * @param outputs all that the task needs
 * @param survey begins to ask what is lost
 * @param driver hears of what is lost
 */
record ReadFailure(
        int shuffle,
        List<MapBlocks> outputs,
        Supplier<LossSurvey> survey,
        Consumer<LostOutputs> driver) {

    /**
     * The error of a task.
     *
     * @param unread could not be read
     * @return unless it throws one that Spark knows
     */
    IOException of(MapBlocks unread, int partition, Throwable cause) throws IOException {
        if (cause instanceof CancelledException e) {
            // The task ends; nothing is wrong with the output.
            return e;
        }
        LossSurvey asked = survey.get();
        boolean answered = asked.ask(unread, outputs);
        List<LostOutputs.Output> lost = asked.lost();
        if (!lost.isEmpty()) {
            driver.accept(new LostOutputs(shuffle, lost));
        }
        if (!answered && cause instanceof CrailException e && isSilence(e)) {
            return noAnswer(unread, e);
        }
        throw Unchecked.rethrow(unread.failed(shuffle, partition, cause));
    }

    /** Says nothing of the output: nobody said anything. */
    private static boolean isSilence(CrailException cause) {
        return switch (cause.code()) {
            case TIMEOUT, CLOSED, SESSION_EXPIRED -> true;
            default -> false;
        };
    }

    private IOException noAnswer(MapBlocks unread, CrailException cause) {
        return CrailException.of(
                cause.code(),
                "map output "
                        + unread.mapId()
                        + " of shuffle "
                        + shuffle
                        + " cannot be read from crail, and the namenode does not answer where it"
                        + " is: "
                        + cause.getMessage()
                        + ". No output is given up, Spark tries the task again; see that the"
                        + " namenodes of spark.crail.namenodes run and can be reached from this"
                        + " executor",
                cause);
    }
}
