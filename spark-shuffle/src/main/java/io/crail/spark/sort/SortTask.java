// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import org.apache.spark.memory.TaskMemoryManager;

/**
 * What a sort has to know, and what it may use.
 *
 * @param keyLength bytes at the beginning of a record that make its place in the order
 * @param recordLength bytes of a record
 * @param memory where all memory has to be accounted, by a {@code MemoryConsumer}
 * @param spills where records go when there is no memory
 */
public record SortTask(
        int keyLength, int recordLength, TaskMemoryManager memory, SpillSpace spills) {}
