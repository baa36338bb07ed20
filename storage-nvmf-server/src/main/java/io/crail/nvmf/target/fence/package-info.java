// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What keeps a host that lost its right away from the medium. Every access to the medium passes
 * through the gate of the association it came by; whoever revokes closes the gate and waits until
 * nothing is inside. Everybody who touches a medium for a host enters here, and those who fence.
 */
@NullMarked
package io.crail.nvmf.target.fence;

import org.jspecify.annotations.NullMarked;
