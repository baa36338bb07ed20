// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * crail as a file system of Hadoop: {@code crail://host:port/}.
 *
 * <p>Hadoop enters by {@link io.crail.hadoop.CrailFileSystem}, found by ServiceLoader, or by {@link
 * io.crail.hadoop.CrailFs} when an application uses FileContext. Paths leave as plain strings to
 * the client; what the client answers or throws is made into Hadoop's terms in the rooms below.
 */
@NullMarked
package io.crail.hadoop;

import org.jspecify.annotations.NullMarked;
