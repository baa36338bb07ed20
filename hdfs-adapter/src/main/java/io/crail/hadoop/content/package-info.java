// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What is done with the bytes of whole files, or with whole files at once: checksums, joining,
 * cutting, removing many.
 *
 * <p>Paths enter as plain strings. No byte is read or moved: checksums are put together from those
 * that writers have stored, and the namenode joins and cuts; who reads a file meanwhile goes on
 * with what he has opened.
 */
@NullMarked
package io.crail.hadoop.content;

import org.jspecify.annotations.NullMarked;
