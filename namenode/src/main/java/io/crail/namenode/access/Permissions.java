// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.access;

/** What the namenode makes of mode bits. */
public enum Permissions {
    /** They are kept and shown. */
    OFF,

    /** What they do not allow is refused. */
    ENFORCE
}
