// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * From the client's errors to the exceptions of Hadoop's specification of a file system.
 *
 * <p>Every other room of this module enters with what the client threw and the path as the user
 * knows it, and leaves with what it throws. Decisions are by code, never by message; what depends
 * on the operation is decided there.
 */
@NullMarked
package io.crail.hadoop.error;

import org.jspecify.annotations.NullMarked;
