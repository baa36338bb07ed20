// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

/** Changes how {@link CrailClient#rename} treats its target. */
public enum RenameOption {
    /** Replace an existing target of the same kind (a container only if empty), atomically. */
    REPLACE,

    /** The node is no longer bound to the session that made it, from the new name on. */
    UNBIND
}
