// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What crail can do beside what the machine can do, measured in one run.
 *
 * <p>The command enters by {@link io.crail.bench.Targets}, with servers that run in processes of
 * their own. Rows measure; what they found comes back as results, for a table or for programs.
 */
@NullMarked
package io.crail.bench;

import org.jspecify.annotations.NullMarked;
