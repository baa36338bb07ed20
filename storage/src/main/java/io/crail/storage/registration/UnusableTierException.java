// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.error.CrailException;

/** The tier cannot serve this cluster: trying again is of no use. Never leaves the package. */
final class UnusableTierException extends Exception {
    private static final long serialVersionUID = 1L;

    private final CrailException reason;

    UnusableTierException(CrailException reason) {
        super(reason.getMessage(), reason);
        this.reason = reason;
    }

    CrailException reason() {
        return reason;
    }
}
