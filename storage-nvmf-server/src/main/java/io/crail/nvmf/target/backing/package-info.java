// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The medium behind a namespace: a file or a block device, read and written past the page cache
 * where the file system allows it. Namespaces enter through MediumAccess, which knows of logical
 * blocks; whoever configures a target through BackingFile. Bytes pass in the caller's buffers.
 */
@NullMarked
package io.crail.nvmf.target.backing;

import org.jspecify.annotations.NullMarked;
