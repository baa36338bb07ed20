// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.ListEntries;

/**
 * Entries of a page with the servers that their bytes lie on. Extents that follow each other on one
 * server are one place, so that few bytes tell it of most files.
 *
 * <p>A page looks at a bounded number of extents: it ends early, so that files of thousands of them
 * do not keep everybody else waiting; and of one file the first places are told only.
 */
final class LocatedEntries implements NamespaceRequests.EntryEncoder {
    /** Extents of one page, which take a fraction of a millisecond. */
    private static final int PAGE_EXTENTS = 8192;

    /** Extents that are looked at of one file: 4 GiB in the largest blocks. */
    private static final int FILE_EXTENTS = 4096;

    /** Places that are told of one file. */
    private static final int FILE_PLACES = 64;

    private int extentsLeft = PAGE_EXTENTS;

    @Override
    public boolean isTired() {
        return extentsLeft <= 0;
    }

    @Override
    public void encode(Node entry, WireWriter writer) {
        NamespaceRequests.encode(entry, writer);
        if (entry instanceof FileNode file) {
            places(file.extents(), writer);
        } else {
            writer.u16(0).u16(ListEntries.Place.WIRE_SIZE);
        }
    }

    private void places(ExtentList extents, WireWriter writer) {
        int mark = writer.position();
        writer.u16(0).u16(ListEntries.Place.WIRE_SIZE);
        int end = Math.min(extents.count(), FILE_EXTENTS);
        int places = 0;
        int next = 0;
        while (next < end && places < FILE_PLACES) {
            int server = extents.server(next);
            long start = extents.offset(next);
            int last = next;
            while (last + 1 < end && extents.server(last + 1) == server) {
                last++;
            }
            writer.i32(server).i64(extents.offset(last) + extents.length(last) - start);
            places++;
            next = last + 1;
        }
        writer.setU16(mark, places);
        extentsLeft -= next;
    }
}
