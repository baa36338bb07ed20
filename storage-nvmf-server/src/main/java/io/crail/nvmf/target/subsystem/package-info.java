// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The NVM subsystem: its namespaces, its controllers, which hosts may come, and what they have
 * reserved. A connection enters with a Connect command and leaves with a queue of a controller; the
 * storage server enters to admit and to revoke hosts. No bytes of commands pass through.
 */
@NullMarked
package io.crail.nvmf.target.subsystem;

import org.jspecify.annotations.NullMarked;
