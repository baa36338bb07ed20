// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.log.Durability;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/**
 * A new life of the namenode.
 *
 * @param epoch higher than any before
 * @param bootId identity of the host's boot, "" = unknown
 * @param time milliseconds since 1970; the first life makes the root then
 * @param durability what records of this life survive
 * @param logWasCut whether records before this one were given up because the log was corrupt
 */
public record BeginEpoch(
        long epoch, String bootId, long time, Durability durability, boolean logWasCut)
        implements Mutation {
    static BeginEpoch decode(WireReader reader) throws ProtocolException {
        return new BeginEpoch(
                reader.i64(),
                reader.string(Names.MAX_NAME),
                reader.i64(),
                Durability.ofCode(reader.u8()),
                reader.bool());
    }

    @Override
    public int code() {
        return RecordType.EPOCH.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(epoch);
        writer.string(bootId);
        writer.i64(time);
        writer.u8(durability.code());
        writer.bool(logWasCut);
    }

    /** Whether acknowledged records of the life before may be gone. */
    private boolean mayHaveLostRecords(State state) {
        if (state.epoch() == 0) {
            return false;
        }
        if (logWasCut) {
            return true;
        }
        return switch (state.durability()) {
            case NONE -> true;
            case PROCESS -> bootId.isEmpty() || !bootId.equals(state.bootId());
            case SYNC -> false;
        };
    }

    @Override
    public void apply(State state, Origin origin) {
        if (state.epoch() == 0) {
            state.tree().setCreated(state.tree().root(), time);
            state.tree().setModified(state.tree().root(), time);
        }
        if (mayHaveLostRecords(state)) {
            state.blocks().fencing().suspectAll();
            state.skipNumbers();
        }
        state.setEpoch(epoch, bootId, durability);
    }
}
