// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Directories, page by page, with the attributes of the entries in the same answer.
 *
 * <p>A listing enters as a path and leaves as an iterator of Hadoop. A page is asked for when the
 * one before is used up; no call is made for a single entry, but for the blocks of a file that lies
 * in very many places, if somebody wants to know them.
 */
@NullMarked
package io.crail.hadoop.listing;

import org.jspecify.annotations.NullMarked;
