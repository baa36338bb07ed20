// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.protocol.message.NodeStatus;
import java.util.List;
import java.util.Optional;

/**
 * One entry of a listing, and where its bytes lie.
 *
 * @param name its name in the container
 * @param status its attributes at the time of the page
 * @param locations of all bytes of a FILE, in order, those that follow each other on one server as
 *     one; empty if they are too many for a page: then {@link CrailClient#locations} tells them
 */
public record LocatedEntry(
        String name, NodeStatus status, Optional<List<BlockLocation>> locations) {}
