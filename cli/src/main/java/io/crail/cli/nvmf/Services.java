// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.nvmf;

import io.crail.error.InvalidArgumentException;
import java.util.Iterator;
import java.util.ServiceLoader;

/** What commands here need of modules that are not linked. */
final class Services {
    private Services() {}

    /** The other side of what is not linked here. */
    static <T> T found(Class<T> service) throws InvalidArgumentException {
        Iterator<T> all = ServiceLoader.load(service).iterator();
        if (all.hasNext()) {
            return all.next();
        }
        throw new InvalidArgumentException(
                "no NVMe over Fabrics on the class path; start it with bin/crail");
    }
}
