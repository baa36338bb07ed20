// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

import io.crail.nvmf.wire.FixedText;
import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Two I/O commands of our own, by which a host on the controller's machine gets memory for the data
 * of one queue. A controller that knows them says so in the vendor's part of Identify Controller
 * ({@link io.crail.nvmf.wire.identify.ControllerData#sharesMemory}); opcodes 80h to FFh are the
 * vendor's (NVM Command Set 1.0, section 3.2).
 *
 * <ol>
 *   <li><i>Share Memory</i> (82h): the controller makes a file in memory and answers with
 *       <pre>
 *  0  u64  magic
 *  8  u32  bytes of the file; 0 if there is no memory for it now
 * 16  text of the file's path in UTF-8, ended by a null byte
 * </pre>
 *   <li>The host maps it, if it can: who is in another container, or another user, cannot. The
 *       file's name ends with a UUID, and its first 16 bytes are that UUID, so that a host never
 *       takes another file for it, whatever path it is told.
 *   <li><i>Use Memory</i> (80h): CDW10 is 1 if the host has mapped it. The controller removes the
 *       name in any case, and the memory if it is not used. From now on Reads and Writes of the
 *       queue may have an SGL descriptor of type {@link SglDescriptor#SHARED}.
 * </ol>
 *
 * <p>The memory is the queue's until its connection ends. Which part of it a command uses is the
 * host's choice, from posting the command until its completion.
 */
public final class SharedMemoryCommand {
    /** Bytes of the answer to Share Memory. */
    public static final int ANSWER_SIZE = 4096;

    /** What offsets and lengths of data in the memory must be multiples of. */
    public static final int ALIGNMENT = 4096;

    /** Bytes of the mark that a file begins with. */
    public static final int MARK_SIZE = 16;

    /** Characters of a UUID. */
    private static final int UUID_LENGTH = 36;

    /** "crailshm". */
    private static final long MAGIC = 0x6D68_736C_6961_7263L;

    private static final int BYTES = 8;
    private static final int PATH = 16;

    private SharedMemoryCommand() {}

    /** Writes Share Memory. */
    public static void encodeShare(ByteBuffer buffer, int at, int commandId) {
        SubmissionEntry.encode(buffer, at, IoOpcode.SHARE_MEMORY, commandId, 0);
    }

    /**
     * Writes Use Memory.
     *
     * @param mapped whether the host has mapped the file
     */
    public static void encodeUse(ByteBuffer buffer, int at, int commandId, boolean mapped) {
        SubmissionEntry.encode(buffer, at, IoOpcode.USE_MEMORY, commandId, 0);
        SubmissionEntry.cdw10(buffer, at, mapped ? 1 : 0);
    }

    /** Of Use Memory: whether the host has mapped the file. */
    public static boolean isMapped(ByteBuffer buffer, int at) {
        return SubmissionEntry.cdw10(buffer, at) == 1;
    }

    /**
     * Writes the answer to Share Memory.
     *
     * @throws IllegalArgumentException if the path is too long for it
     */
    public static void encodeAnswer(ByteBuffer buffer, int at, int bytes, String path) {
        LittleEndian.zero(buffer, at, ANSWER_SIZE);
        LittleEndian.i64(buffer, at, MAGIC);
        LittleEndian.i32(buffer, at + BYTES, bytes);
        FixedText.putTerminated(buffer, at + PATH, ANSWER_SIZE - PATH, path);
    }

    /** Whether what came is such an answer. */
    public static boolean isAnswer(ByteBuffer buffer, int at) {
        return LittleEndian.i64(buffer, at) == MAGIC;
    }

    /**
     * What a file of that name begins with, from position 0.
     *
     * @throws IllegalArgumentException if the name does not end with a UUID
     */
    public static ByteBuffer mark(String fileName) {
        UUID name =
                UUID.fromString(fileName.substring(Math.max(0, fileName.length() - UUID_LENGTH)));
        ByteBuffer mark = ByteBuffer.allocate(MARK_SIZE);
        mark.putLong(name.getMostSignificantBits());
        return mark.putLong(name.getLeastSignificantBits()).flip();
    }

    /** Bytes of the file; 0 if there is none. */
    public static long bytes(ByteBuffer buffer, int at) {
        return LittleEndian.u32(buffer, at + BYTES);
    }

    /** Path of the file. */
    public static String path(ByteBuffer buffer, int at) {
        return FixedText.getTerminated(buffer, at + PATH, ANSWER_SIZE - PATH);
    }
}
