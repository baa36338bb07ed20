// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;

/** In which storage class blocks lie: that of their server. */
final class BlockClasses {
    private IntUnaryOperator ofServer = server -> 0;
    private BooleanSupplier several = () -> false;

    /** Tells of which storage class a server is, and whether any is of another class than 0. */
    void set(IntUnaryOperator newOfServer, BooleanSupplier newSeveral) {
        ofServer = newOfServer;
        several = newSeveral;
    }

    boolean areSeveral() {
        return several.getAsBoolean();
    }

    int of(int server) {
        return ofServer.applyAsInt(server);
    }

    /** Bytes of the blocks that a node itself holds. */
    ClassBytes of(Node node) {
        ExtentList extents = node.extents();
        if (extents == null) {
            return new ClassBytes();
        }
        if (several.getAsBoolean()) {
            return of(extents, 0, extents.count());
        }
        ClassBytes all = new ClassBytes();
        all.add(0, extents.allocated());
        return all;
    }

    /** Bytes of some blocks of a list. */
    ClassBytes of(ExtentList extents, int first, int end) {
        ClassBytes bytes = new ClassBytes();
        for (int i = first; i < end; i++) {
            bytes.add(of(extents.server(i)), extents.blockLength(i));
        }
        return bytes;
    }
}
