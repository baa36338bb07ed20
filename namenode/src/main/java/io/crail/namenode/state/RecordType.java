// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import org.jspecify.annotations.Nullable;

/** Types of log records. Codes are append-only and never reused. */
@SuppressWarnings("ImmutableEnumChecker") // Decoders are method references without state.
enum RecordType {
    EPOCH(1, BeginEpoch::decode),
    SESSION_OPEN(2, OpenSession::decode),
    SESSION_END(3, EndSession::decode),
    SERVER(4, RegisterStorage::decode),
    SEGMENT(5, AddSegment::decode),
    CREATE(6, CreateNode::decode),
    DELETE(7, DeleteNode::decode),
    RENAME(8, RenameNode::decode),
    ATTRIBUTES(9, ChangeAttributes::decode),
    OPEN_READ(10, OpenForReading::decode),
    OPEN_APPEND(11, OpenForAppend::decode),
    GRANT(12, GrantBlocks::decode),
    COMMIT(13, CommitFile::decode),
    ABANDON(14, AbandonFile::decode),
    PUT_INLINE(15, PutInline::decode),
    PUT_BLOCKS(16, PutBlocks::decode),
    REMOVE(17, RemoveKey::decode),
    RELEASE(18, ReleaseHeld::decode),
    FREED(19, FreeBlocks::decode),
    REAP(20, ReapNode::decode),
    DROP_UNLINKED(21, DropUnlinked::decode),
    FENCED(22, EndFencing::decode),
    STREAM_CREATE(40, CreateStream::decode),
    STREAM_APPEND(41, AppendRecords::decode),
    STREAM_TRIM(42, TrimStream::decode),
    OPEN_MEMBERS(45, OpenGroup::decode),
    EXPIRE_MEMBERS(46, ExpireMembers::decode),
    REAP_MEMBERS(47, ReapMembers::decode),
    MULTI_PUT(48, PutMany::decode),
    LIFETIME(50, SetLifetime::decode),
    EXPIRE(51, ExpireNodes::decode),
    TIME(52, PassTime::decode),
    XATTR(53, ChangeXattr::decode),
    QUOTA(54, ChangeQuota::decode),
    DRAIN(60, DrainServer::decode),
    MOVE(61, MoveExtent::decode),
    REPAIR(62, RepairStep::decode),
    CONCAT(63, ConcatFiles::decode),
    TRUNCATE(64, TruncateFile::decode),
    TIERING(65, SteerTiering::decode),
    GRANT_COPIES(66, GrantForCopies::decode),
    MOVE_COPIES(67, MoveExtents::decode);

    @FunctionalInterface
    private interface Decoder {
        Mutation decode(WireReader reader) throws ProtocolException;
    }

    /** As long as the highest code needs: an array of a fixed size would end the program here. */
    private static final @Nullable RecordType[] BY_CODE = byCode();

    private static @Nullable RecordType[] byCode() {
        int highest = 0;
        for (RecordType type : values()) {
            highest = Math.max(highest, type.code);
        }
        @Nullable RecordType[] types = new RecordType[highest + 1];
        for (RecordType type : values()) {
            if (types[type.code] != null) {
                throw new IllegalStateException("two records with code " + type.code);
            }
            types[type.code] = type;
        }
        return types;
    }

    private final int code;
    private final Decoder decoder;

    RecordType(int code, Decoder decoder) {
        this.code = code;
        this.decoder = decoder;
    }

    int code() {
        return code;
    }

    static Mutation decode(int code, WireReader reader) throws ProtocolException {
        RecordType type = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
        if (type == null) {
            throw new ProtocolException(
                    "log record of unknown type "
                            + code
                            + ": was the log written by a newer version?");
        }
        return type.decoder.decode(reader);
    }
}
