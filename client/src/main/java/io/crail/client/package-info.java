// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The Java client of crail: what an application calls to store, find, read and remove its data.
 *
 * <p>Everybody may enter: this package is the public API, and it runs inside other people's JVMs
 * without a flag and without a dependency beyond slf4j. A call goes to the namenode once, for the
 * grant that names the blocks; the bytes then move between the caller's buffers and the storage
 * servers on a data path that is found with {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.crail.client;

import org.jspecify.annotations.NullMarked;
