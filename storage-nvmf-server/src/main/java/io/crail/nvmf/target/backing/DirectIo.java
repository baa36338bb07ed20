// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

/** Whether to go past the page cache (O_DIRECT). */
public enum DirectIo {
    /** Where the file system allows it; else through the page cache, with a warning. */
    PREFERRED,
    /** Or do not start. */
    REQUIRED,
    /** Never: every byte is cached twice, here and in DRAM blocks, and copied once more. */
    OFF
}
