// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.records;

/**
 * The stream that is appended to or read.
 *
 * @param path by which it was found, for messages
 * @param node its id
 * @param checksums whether chunk checksums are kept
 */
public record StreamTarget(String path, long node, boolean checksums) {}
