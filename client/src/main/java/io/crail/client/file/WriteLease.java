// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.protocol.message.NodeStatus;

/**
 * The right to write a file, as it was obtained.
 *
 * @param path path the file was opened by
 * @param status its attributes then
 * @param handle handle of the lease
 * @param incarnation the session that holds it
 */
public record WriteLease(String path, NodeStatus status, long handle, int incarnation) {}
