// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import java.io.IOException;

/** A sparse file wanted to grow where its file system is full; another write would fail alike. */
public final class NoSpaceException extends IOException {
    private static final long serialVersionUID = 1L;

    public NoSpaceException(String message, IOException cause) {
        super(message, cause);
    }
}
