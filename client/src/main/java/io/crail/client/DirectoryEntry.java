// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.protocol.message.NodeStatus;

/**
 * One entry of a listing.
 *
 * @param name its name in the container
 * @param status its attributes at the time of the page
 */
public record DirectoryEntry(String name, NodeStatus status) {}
