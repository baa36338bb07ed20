// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ErrorCode;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.Splicer.Opened;
import io.crail.namenode.TreeModel.Node;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.Message;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One of the clients of a random life, with what it believes to hold. */
final class LifeClient {
    /** A mutation that was answered and may be asked for again. */
    record Done(long id, Message message, byte[] payload, Answer answer) {}

    /** A lease as its writer believes to have it. */
    static final class Lease {
        final Node node;
        final long id;
        final long handle;
        final List<BlockReference> unused = new ArrayList<>();
        @Nullable BlockReference last;
        int lastUsed;
        long base;

        Lease(Node node, long id, long handle, long base) {
            this.node = node;
            this.id = id;
            this.handle = handle;
            this.base = base;
        }

        /** The error that a writer gets for this lease; null if it holds it. */
        @Nullable ErrorCode check() {
            return node.lease == this ? null : ErrorCode.LEASE_LOST;
        }
    }

    final TestSession session;
    final List<Lease> leases = new ArrayList<>();
    final List<Long> reads = new ArrayList<>();

    /** What it has open by a path, by handle. */
    final Map<Long, Opened> opened = new LinkedHashMap<>();

    final List<BlockReference> valueGrants = new ArrayList<>();
    final ArrayDeque<Done> done = new ArrayDeque<>();

    LifeClient(TestSession session) {
        this.session = session;
    }
}
