// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.error.InvalidArgumentException;

/** A storage class that an option or argument names. */
final class StorageClassOption {
    private static final int LAST = 255;

    private StorageClassOption() {}

    static int check(int storageClass) throws InvalidArgumentException {
        if (storageClass < 0 || storageClass > LAST) {
            throw new InvalidArgumentException(
                    "storage class " + storageClass + " is outside 0..255");
        }
        return storageClass;
    }
}
