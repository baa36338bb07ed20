// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Submission entries (64 bytes), completion entries (16 bytes), descriptors of data, and one class
 * for each command. A host encodes a command and then its SGL descriptor; a target asks the same
 * class for the fields.
 */
@NullMarked
package io.crail.nvmf.wire.command;

import org.jspecify.annotations.NullMarked;
