// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import java.util.ArrayList;
import java.util.List;

/**
 * Map outputs that cannot be read any more, of which the driver is told. The directory of the
 * application may be gone with them; one that names none says only that.
 *
 * @param shuffle number of the shuffle
 * @param outputs those that are lost
 */
public record LostOutputs(int shuffle, List<Output> outputs) {
    private static final int HEAD = 1;
    private static final int NUMBERS = 2;

    public LostOutputs {
        outputs = List.copyOf(outputs);
    }

    /**
     * One of them.
     *
     * @param mapIndex number of the map
     * @param mapId of the attempt whose output it is; another one is not lost
     */
    public record Output(int mapIndex, long mapId) {}

    /**
     * As it is sent: numbers only, since Spark looks for classes of messages where those of an
     * application's jars are not found.
     */
    public long[] toMessage() {
        long[] message = new long[HEAD + NUMBERS * outputs.size()];
        message[0] = shuffle;
        int next = HEAD;
        for (Output each : outputs) {
            message[next++] = each.mapIndex;
            message[next++] = each.mapId;
        }
        return message;
    }

    /**
     * What was sent.
     *
     * @throws IllegalArgumentException if it is no such message
     */
    public static LostOutputs of(long[] message) {
        if (message.length % NUMBERS != HEAD) {
            throw new IllegalArgumentException(
                    "a message of " + message.length + " numbers tells of no lost outputs");
        }
        List<Output> outputs = new ArrayList<>();
        for (int next = HEAD; next < message.length; next += NUMBERS) {
            outputs.add(new Output(Math.toIntExact(message[next]), message[next + 1]));
        }
        return new LostOutputs(Math.toIntExact(message[0]), outputs);
    }
}
