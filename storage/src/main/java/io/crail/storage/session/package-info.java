// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Session files: what processes on this host hold of the segments they map, and whether these
 * processes live. The data service enters to attach and detach sessions; block tables ask, before
 * they report a block as free, whether somebody still pins it (docs/adr/0007-shared-memory.md).
 */
@NullMarked
package io.crail.storage.session;

import org.jspecify.annotations.NullMarked;
