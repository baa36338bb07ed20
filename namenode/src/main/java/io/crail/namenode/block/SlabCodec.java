// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * A slab in a snapshot: u32 server, u32 segment, u32 incarnation, u32 slab, u8 log2 of the block
 * size or 0, the states of the blocks (a byte each), then runs of (u16 slots, u32 counter) that
 * cover the slab. All in one record, at most 2 KiB.
 */
final class SlabCodec {
    private SlabCodec() {}

    static void encode(Slab slab, WireWriter writer) {
        int mark = writer.beginRecord();
        Segment segment = slab.segment;
        writer.i32(segment.server.id)
                .i32(segment.number)
                .i32(segment.incarnation)
                .i32(slab.index)
                .u8(slab.shift());
        for (int block = 0; block < slab.blocks(); block++) {
            writer.u8(StorageServer.counted(slab.state(block)));
        }
        for (int slot = 0; slot < Slab.SLOTS; ) {
            int counter = slab.counter(slot);
            int end = slot + 1;
            while (end < Slab.SLOTS && slab.counter(end) == counter) {
                end++;
            }
            writer.u16(end - slot).i32(counter);
            slot = end;
        }
        writer.endRecord(mark);
    }

    /** Fills a slab of a new map; its block map has found it by the first four fields. */
    static void decode(Slab slab, WireReader reader) throws ProtocolException {
        if (!slab.isPristine()) {
            throw new ProtocolException("slab " + slab.index + " comes twice");
        }
        int shift = reader.u8();
        if (shift != 0) {
            if (shift < BlockGeometry.SLOT_SHIFT
                    || (1L << Math.min(shift, 62)) > BlockGeometry.MAX_BLOCK) {
                throw new ProtocolException("slab cut into blocks of 2^" + shift + " bytes");
            }
            slab.cut(shift);
            decodeStates(slab, reader);
        }
        for (int slot = 0; slot < Slab.SLOTS; ) {
            int slots = reader.u16();
            int counter = reader.i32();
            if (slots == 0 || slots > Slab.SLOTS - slot) {
                throw new ProtocolException("run of " + slots + " counters at slot " + slot);
            }
            for (int i = 0; i < slots; i++) {
                slab.setCounter(slot++, counter);
            }
        }
    }

    private static void decodeStates(Slab slab, WireReader reader) throws ProtocolException {
        StorageServer server = slab.segment.server;
        int blocks = slab.blocks();
        byte[] states = reader.raw(blocks);
        boolean used = false;
        for (byte state : states) {
            if (state < 0 || state > Slab.RETIRED) {
                throw new ProtocolException("block state " + state);
            }
            used |= state != Slab.FREE;
        }
        if (!used) {
            throw new ProtocolException("cut slab without a block in use");
        }
        for (int block = 0; block < blocks; block++) {
            if (states[block] != Slab.FREE) {
                server.setState(slab, block, states[block]);
            }
        }
    }
}
