// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

/** A target that serves. Thread-safe. */
public interface RunningTarget extends RunningServer {
    /** Bytes of the namespace. */
    long bytes();
}
