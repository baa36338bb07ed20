// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.rpc.Connection;
import io.crail.protocol.frame.WireWriter;

/** A request that is answered later. */
record Pending(Connection connection, int type, long id, long traceId) {
    WireWriter beginReply() {
        return connection.beginReply(type, id, traceId);
    }
}
