// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What is done with the bytes of whole files, or with whole files at once: checksums, joining,
 * cutting, removing many.
 *
 * <p>Paths enter as plain strings. Bytes are looked at in place where they lie on this host. What
 * replaces a file does so atomically; who reads it goes on with what he has opened.
 */
@NullMarked
package io.crail.hadoop.content;

import org.jspecify.annotations.NullMarked;
