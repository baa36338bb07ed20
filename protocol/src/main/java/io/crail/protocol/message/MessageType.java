// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import org.jspecify.annotations.Nullable;

/** Types of messages; request and reply share one. Codes are append-only and never reused. */
public enum MessageType {
    /** First exchange on every connection: agree on version, cluster, session and limits. */
    HELLO(1, false),
    /** Does nothing, on any server: measures a round trip. */
    PING(2, false),
    /** Second exchange where the hello was answered with a challenge: the caller's proof. */
    AUTHENTICATE(3, false),
    /** Makes a session. Logged; everything a client holds hangs on it. */
    SESSION_OPEN(16, false),
    /** Ends the session: leases, handles and grants are released, session-bound nodes removed. */
    SESSION_CLOSE(17, false),
    /**
     * Shows that the client lives, and carries what need not hurry. A mutation (flag in the header)
     * when a list is not empty.
     */
    KEEP_ALIVE(18, false),
    /** Attributes of the node at a path and, if asked, its first block references. */
    LOOKUP(32, false),
    /** Makes a node; for a FILE optionally takes its lease and grants the first blocks. */
    CREATE(33, true),
    /** Removes the node at a path. */
    DELETE(34, true),
    /** Moves a node to another name, atomically. Data does not move. */
    RENAME(35, true),
    /** One page of a container, in order of unsigned name bytes, with attributes. */
    LIST(36, false),
    /** Changes attributes of a node. */
    SET_ATTRIBUTES(37, true),
    /**
     * What lies at and below a node; kept up to date by the namenode, so that asking costs one
     * lookup.
     */
    SUMMARY(38, false),
    /** Registers a handle on a FILE for reading, or takes the lease for appending. */
    OPEN(39, true),
    /**
     * Further references of a node, by id, so that an unlinked node stays readable through a
     * handle.
     */
    GET_EXTENTS(40, false),
    /** Grants blocks to write: to the holder of a lease, or for a value to be put. */
    GRANT(41, true),
    /** Makes written bytes part of a FILE and visible to all. */
    COMMIT(42, true),
    /** Gives a lease back without committing; its grants are freed. */
    ABANDON(43, true),
    /**
     * Waits, within the deadline, until a FILE is longer than known, closed by its writer, or gone.
     */
    AWAIT_LENGTH(44, false),
    /** Appends records to a STREAM: frames as payload, or blocks written before; grants blocks. */
    STREAM_APPEND(48, true),
    /** The extents of a STREAM from a record on; waits for records that are still to come. */
    STREAM_EXTENTS(49, false),
    /** Removes the records of a STREAM before an offset. */
    STREAM_TRIM(50, true),
    /** Opens a page of the members of a MULTIFILE for reading, under one handle. */
    OPEN_MEMBERS(51, true),
    /** Sets or removes an extended attribute. */
    SET_XATTR(45, true),
    /** Extended attributes of a node. */
    GET_XATTRS(46, false),
    /** Limits what may lie below a container. */
    SET_QUOTA(47, true),
    /** Makes a STREAM. */
    STREAM_CREATE(53, true),
    /** Appends the extents of FILEs to another one and removes their names, atomically. */
    CONCAT(54, true),
    /** Cuts a FILE. */
    TRUNCATE(55, true),
    /** The value of a key: the bytes as payload when inline, else references. */
    GET(64, false),
    /**
     * Swaps a value in: its bytes as payload, or blocks written before. The last commit wins whole.
     */
    PUT(65, true),
    /** Removes a key. */
    REMOVE(66, true),
    /** One page of a TABLE in order of unsigned key bytes. */
    SCAN(67, false),
    /** The values of several keys. */
    MULTI_GET(68, false),
    /** Puts several inline values; each is put, or refused, by itself. */
    MULTI_PUT(69, true),
    /** Where the storage servers are, by id. */
    SERVER_TABLE(80, false),
    /** Counters of the namenode, for df and status. */
    STATISTICS(81, false),
    /** Says whether a storage server gets new blocks. */
    DRAIN(82, true),
    /** What lies on one storage server, page by page, so that it can be moved elsewhere. */
    MOVABLE(83, false),
    /** Swaps the block of one extent for another one that holds a copy of its bytes. */
    MOVE(84, true),
    /** What the namenode knows of blocks and their holders, page by page, so that it is checked. */
    AUDIT(85, false),
    /** What a storage server says of its blocks itself, page by page, to be compared with AUDIT. */
    AUDIT_SEGMENT(86, false),
    /** Puts one thing right that AUDIT has shown. */
    REPAIR(87, true),
    /** What a mover should bring from one storage class to another next. */
    TIER_PLAN(88, false),
    /** How full the storage classes are, what was moved between them, and by whom. */
    TIER_STATUS(89, false),
    /** Steers what is moved between storage classes. */
    TIER_SET(90, true),
    /** Grants a block for the copy of each of many extents. */
    GRANT_COPIES(91, true),
    /**
     * Swaps the blocks of many extents for their copies; each is swapped, or refused, by itself.
     */
    MOVE_COPIES(92, true),
    /** A storage server introduces itself, at start and after every reconnect. */
    REGISTER_SERVER(96, false),
    /**
     * Announces one filled segment with its generations, in parts if need be. Allocation starts
     * with the last part.
     */
    REGISTER_SEGMENT(97, false),
    /** Shows that a storage server lives. */
    HEARTBEAT(98, false),
    /**
     * Waits for work: answered at once when there are commands, else empty within a second or so.
     */
    AWAIT_COMMANDS(99, false),
    /**
     * Reports blocks that nobody can touch any more, with their new generation. Repeating it is
     * harmless.
     */
    BLOCKS_FREED(100, false),
    /** Reads bytes of one block, which follow as payload, or the checksums kept of them. */
    READ(128, false),
    /** Writes the payload into one block. Repeating it is harmless. */
    WRITE(129, false),
    /** A client on the same host shows its session file, and may map segments after the answer. */
    ATTACH(130, false),
    /** The client of this session maps nothing any more. */
    DETACH(131, false);

    private static final @Nullable MessageType[] BY_WIRE = new MessageType[256];

    static {
        for (MessageType type : values()) {
            BY_WIRE[type.wire] = type;
        }
    }

    private final int wire;
    private final boolean mutation;

    MessageType(int wire, boolean mutation) {
        this.wire = wire;
        this.mutation = mutation;
    }

    public int wire() {
        return wire;
    }

    /**
     * Whether requests of this type always carry {@link
     * io.crail.protocol.frame.FrameHeader#FLAG_MUTATION}.
     */
    public boolean isMutation() {
        return mutation;
    }

    /** The type of a code, or null if this version does not know it. */
    public static @Nullable MessageType ofWire(int wire) {
        return wire >= 0 && wire < BY_WIRE.length ? BY_WIRE[wire] : null;
    }
}
