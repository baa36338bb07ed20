// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Records of a fixed size: how they become bytes without an object stream, and how those bytes are
 * sorted without becoming records again.
 *
 * <p>An application enters with a {@link io.crail.spark.sort.FixedSizeSerializer} for its shuffle;
 * who has another idea of sorting, with a {@link io.crail.spark.sort.RecordSorter}. The map side
 * asks the serialiser for bytes, and the reduce side gives the bytes to the sorter, which spills to
 * crail when memory is refused, and gets them back in the order of their keys.
 */
@NullMarked
package io.crail.spark.sort;

import org.jspecify.annotations.NullMarked;
