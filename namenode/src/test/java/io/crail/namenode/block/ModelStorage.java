// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.segment.SegmentLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a storage server knows: the counters of its slots, and nothing of the namenode's states. */
final class ModelStorage {
    /** One of its segments. */
    static final class Memory {
        final int number;
        final long dataBytes;
        int incarnation;
        final int[] counters;

        Memory(int number, long dataBytes, int incarnation) {
            this.number = number;
            this.dataBytes = dataBytes;
            this.incarnation = incarnation;
            this.counters = new int[SegmentLayout.slots(dataBytes)];
            Arrays.fill(counters, Generation.FIRST_COUNTER);
        }

        void loseEverything(int newIncarnation) {
            incarnation = newIncarnation;
            Arrays.fill(counters, Generation.FIRST_COUNTER);
        }

        long generation(int record) {
            return Generation.of(incarnation, counters[record]);
        }

        /** Fences a block and returns its new generation; once only for each generation. */
        long revoke(int record, long generation) {
            if (generation(record) == generation) {
                counters[record]++;
            }
            return generation(record);
        }

        void report(BlockMap map, int server, BlockConsumer mismatches) throws ProtocolException {
            for (int slot = 0; slot < counters.length; ) {
                int end = slot + 1;
                while (end < counters.length && counters[end] == counters[slot]) {
                    end++;
                }
                map.reports()
                        .slots(
                                server,
                                number,
                                incarnation,
                                slot,
                                end - slot,
                                counters[slot],
                                mismatches);
                slot = end;
            }
            map.reports().complete(server, number);
        }
    }

    final int id;
    final int storageClass;
    final String location;
    final String host;
    final List<Memory> segments = new ArrayList<>();

    ModelStorage(int id, int storageClass, String location, String host, long... sizes) {
        this.id = id;
        this.storageClass = storageClass;
        this.location = location;
        this.host = host;
        for (int i = 0; i < sizes.length; i++) {
            segments.add(new Memory(i, sizes[i], 1000 * id + i));
        }
    }

    /** Registers as new with a map. */
    void addTo(BlockMap map) throws CrailException {
        map.addServer(id, storageClass, location, host);
        for (Memory memory : segments) {
            map.addSegment(id, memory.number, memory.incarnation, memory.dataBytes);
        }
    }

    /** Reports everything; returns the blocks that the map calls lost. */
    int reportTo(BlockMap map) throws ProtocolException {
        int[] lost = {0};
        for (Memory memory : segments) {
            memory.report(map, id, (s, g, r, l, n) -> lost[0]++);
        }
        map.setState(id, ServerState.LIVE);
        return lost[0];
    }
}
