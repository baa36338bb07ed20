// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

/**
 * One session as opened.
 *
 * @param incarnation counts the sessions of this client, from 1; what was obtained under another
 *     one (handles, leases, references) is void
 * @param id session id at the namenode
 * @param token secret with which connections join it
 * @param keepAliveMillis how often to send a keep-alive
 */
record Identity(int incarnation, long id, byte[] token, int keepAliveMillis) {
    static final Identity NONE = new Identity(0, 0, new byte[16], 1000);

    boolean isOpen() {
        return id != 0;
    }
}
