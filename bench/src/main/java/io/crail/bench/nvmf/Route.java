// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

/** How small accesses reach the target: by TCP over loopback, or as hosts of its machine do. */
enum Route {
    TCP(false, ""),
    UNIX_SOCKET(true, ", Unix socket");

    private final boolean local;
    private final String text;

    Route(boolean local, String text) {
        this.local = local;
        this.text = text;
    }

    /** Whether what the target has for hosts of its machine is used. */
    boolean isLocal() {
        return local;
    }

    /** What a setting is called with it. */
    String after(String setting) {
        return setting + text;
    }
}
