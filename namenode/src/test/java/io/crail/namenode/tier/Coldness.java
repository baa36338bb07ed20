// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

/** Which ages are told apart, for tests outside. */
public final class Coldness {
    private Coldness() {}

    public static int step(int age) {
        return ColdAges.step(age);
    }
}
