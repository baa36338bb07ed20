// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.launch;

import io.crail.error.CrailException;

/**
 * Starts targets of NVMe/TCP that serve a file or a block device to any host, without a cluster.
 * Has a public constructor without arguments; thread-safe.
 */
public interface TargetLauncher {
    /**
     * Starts a target; returns when it serves. The message of a failure says what to do.
     *
     * @throws CrailException if it cannot, by its code: INVALID_ARGUMENT if something that was
     *     asked for makes no sense, NO_SUCH_NODE if the directory of the file is not there,
     *     CONDITION_FAILED if the port or the file is somebody else's or the file has another size,
     *     OUT_OF_SPACE, ACCESS_DENIED
     */
    RunningTarget start(TargetRequest request) throws CrailException;
}
