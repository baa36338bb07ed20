// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What operators do to a running cluster: {@code crail admin}. The command tree enters here; each
 * command talks to the namenode through the client's {@link io.crail.client.CrailAdmin}.
 */
@NullMarked
package io.crail.cli.admin;

import org.jspecify.annotations.NullMarked;
