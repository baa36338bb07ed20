// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Nodes of the namespace as both ends see them: types, names and the rules for names, attributes.
 * Servers enter with untrusted bytes, clients with the user's strings; both leave with names that
 * are valid and that are compared as full byte strings.
 */
@NullMarked
package io.crail.protocol.node;

import org.jspecify.annotations.NullMarked;
