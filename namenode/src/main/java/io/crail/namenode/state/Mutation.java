// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * One change of the state, resolved: it names ids, times, versions and blocks, so that applying it
 * decides nothing and gives the same state whenever and wherever it is applied.
 *
 * <p>Contract: {@link #apply} is called only for a mutation whose conditions the engine has
 * checked, and does not fail then. {@link #reply} is called right after it, live as well as in
 * recovery, and writes the control part of the answer; so the answer to a repeated request is the
 * same bytes as the first one.
 */
public sealed interface Mutation
        permits BeginEpoch,
                OpenSession,
                EndSession,
                RegisterStorage,
                AddSegment,
                CreateNode,
                DeleteNode,
                RenameNode,
                ChangeAttributes,
                OpenForReading,
                OpenForAppend,
                GrantBlocks,
                CommitFile,
                AbandonFile,
                PutInline,
                PutBlocks,
                RemoveKey,
                ReleaseHeld,
                FreeBlocks,
                ReapNode,
                DrainServer,
                DropUnlinked,
                OpenGroup,
                ExpireMembers,
                ReapMembers,
                PutMany,
                MoveExtent,
                RepairStep,
                EndFencing,
                SetLifetime,
                ExpireNodes,
                PassTime,
                ChangeXattr,
                ChangeQuota,
                CreateStream,
                AppendRecords,
                SteerTiering,
                GrantForCopies,
                MoveExtents,
                TrimStream,
                ConcatFiles,
                TruncateFile {
    /** Who asked: (session, request id), zeros for the namenode itself. */
    record Origin(long session, long requestId) {
        public static final Origin NAMENODE = new Origin(0, 0);
    }

    /** Code of the record type in the log. */
    int code();

    /** Type of the message that asked for it; 0 if its result need not be remembered. */
    default int replyType() {
        return 0;
    }

    void encode(WireWriter writer);

    void apply(State state, Origin origin);

    default void reply(State state, Origin origin, WireWriter writer) {}

    static Mutation decode(int code, WireReader reader) throws ProtocolException {
        return RecordType.decode(code, reader);
    }
}
