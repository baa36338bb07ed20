// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.storage.session.Sessions;
import java.nio.file.Path;
import java.util.UUID;

/**
 * What a data service must know to let clients of this host map segments.
 *
 * @param socket where the Unix socket is to be
 * @param segments absolute path of the directory with the segment files
 * @param server identity in the headers of the segment files
 * @param sessions the processes that map
 * @param whenUnpinned runs after a session has detached: blocks may be free now
 */
public record LocalAccess(
        Path socket, Path segments, UUID server, Sessions sessions, Runnable whenUnpinned) {}
