// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The layout of the namenode's log and snapshot files: offsets and sizes, nothing that reads or
 * writes. The namenode enters here, and every tool that looks into its metadata directory.
 * Specified in docs/protocol.md; golden bytes pin it. Fields are only ever appended.
 */
@NullMarked
package io.crail.protocol.log;

import org.jspecify.annotations.NullMarked;
