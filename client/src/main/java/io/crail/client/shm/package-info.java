// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The data path to a storage server on the same host: its segments are mapped, and bytes move by
 * copying memory, without a system call. Nothing but ServiceLoader enters here. Copies are carried
 * out in the thread that asks for them, as a transfer or, if there is nothing to wait for, without;
 * what has to open files first waits for the client's thread for that.
 * docs/adr/0007-shared-memory.md says why it is safe.
 */
@NullMarked
package io.crail.client.shm;

import org.jspecify.annotations.NullMarked;
