// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Who may do what: mode bits, owners, groups, the superuser. The engine asks {@link
 * io.crail.namenode.access.AccessCheck} about every request before it is handled, with the session
 * that asks and the fields of the request; nobody else decides about rights. Only the engine thread
 * enters. Nothing here changes anything.
 */
@NullMarked
package io.crail.namenode.access;

import org.jspecify.annotations.NullMarked;
