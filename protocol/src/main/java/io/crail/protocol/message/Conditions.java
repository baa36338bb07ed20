// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

/** Condition codes of {@link Put} and {@link Remove}. */
public final class Conditions {
    public static final int NONE = 0;

    /** Only if the key has no value. */
    public static final int IF_ABSENT = 1;

    /** Only if the key's value has the expected version. */
    public static final int IF_VERSION = 2;

    private Conditions() {}
}
