// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.error.InvalidArgumentException;

/** How many files may be in flight. */
final class Workers {
    private static final int MAX = 64;

    private Workers() {}

    static void check(int parallel) throws InvalidArgumentException {
        if (parallel < 1 || parallel > MAX) {
            throw new InvalidArgumentException(
                    "--parallel " + parallel + ": must be within 1.." + MAX);
        }
    }
}
