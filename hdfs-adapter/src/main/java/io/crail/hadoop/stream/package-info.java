// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The bytes of files as Hadoop's streams: sequential, positioned, vectored, in place, and appended.
 *
 * <p>A stream enters as an open file of the client and leaves wrapped by Hadoop. Bytes go straight
 * between the caller's buffer and the client; there is no buffer of our own in between. Errors
 * leave as the exceptions of Hadoop's specification.
 */
@NullMarked
package io.crail.hadoop.stream;

import org.jspecify.annotations.NullMarked;
