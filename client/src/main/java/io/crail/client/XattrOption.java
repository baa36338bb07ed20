// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

/** When {@link CrailClient#setXattr} takes place; without one of these: always. */
public enum XattrOption {
    /** Only if the node has no attribute of this name. */
    CREATE,

    /** Only if the node has one. */
    REPLACE
}
