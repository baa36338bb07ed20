// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.status;

/**
 * Commands of one kind.
 *
 * @param operations commands that ended, well or not
 * @param bytes data of those that ended well
 * @param errors those that ended with a status other than success
 */
public record CommandStatistics(long operations, long bytes, long errors) {}
