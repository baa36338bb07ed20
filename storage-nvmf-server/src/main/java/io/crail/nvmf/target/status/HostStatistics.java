// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.status;

import java.util.Map;

/**
 * What one host does.
 *
 * @param hostNqn its name
 * @param queues connections that it has now
 * @param depth commands of it that are under way now
 * @param commands by kind; kinds that never came are left out
 */
public record HostStatistics(
        String hostNqn, int queues, int depth, Map<CommandKind, CommandStatistics> commands) {}
