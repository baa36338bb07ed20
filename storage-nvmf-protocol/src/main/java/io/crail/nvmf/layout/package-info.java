// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What both halves of the flash tier must agree on besides NVMe itself: where superblock, counters,
 * records and data lie in a namespace, which words of a command name the block it is for, how a
 * session is called as a host, and how an endpoint tells clients all of that. The tier enters from
 * both sides; the initiator and the target know nothing of it. Decided in
 * docs/adr/0021-flash-tier.md.
 */
@NullMarked
package io.crail.nvmf.layout;

import org.jspecify.annotations.NullMarked;
