// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.wire.log.ReservationNotification;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * What a controller's host has still to be told of reservations, for the log page Reservation
 * Notification, which shows the oldest (NVMe Base 2.0, section 5.16.1.24). When there are too many,
 * the oldest are lost, as the count shows. Thread-safe.
 */
public final class ReservationLog {
    /** As many further pages as the page can tell of. */
    private static final int LIMIT = 256;

    private record Entry(long number, int type, int namespaceId) {}

    private final ArrayDeque<Entry> unread = new ArrayDeque<>();
    private long count;

    /** Something happened to a namespace's reservation; the type as on the page. */
    synchronized void add(int type, int namespaceId) {
        if (unread.size() == LIMIT) {
            unread.remove();
        }
        count++;
        unread.add(new Entry(count, type, namespaceId));
    }

    /** The page; empty if there is nothing to tell. */
    public synchronized ByteBuffer page() {
        ByteBuffer page = ByteBuffer.allocate(ReservationNotification.SIZE);
        Entry oldest = unread.peek();
        if (oldest == null) {
            ReservationNotification.encode(
                    page, 0, count, ReservationNotification.TYPE_EMPTY, 0, 0);
        } else {
            ReservationNotification.encode(
                    page, 0, oldest.number, oldest.type, unread.size() - 1, oldest.namespaceId);
        }
        return page;
    }

    /** The page was read and its event not retained: the next one follows. */
    public synchronized void wasRead() {
        unread.poll();
    }
}
