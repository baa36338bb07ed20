// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.status;

/** What commands are counted as. */
public enum CommandKind {
    READ,
    WRITE,
    FLUSH,
    WRITE_ZEROES,
    DEALLOCATE,
    COMPARE,
    RESERVATION,
    ADMIN,
    FABRICS,
    /** Of our own: memory is shared. */
    MEMORY,
    /** An opcode that this target does not know. */
    UNKNOWN
}
