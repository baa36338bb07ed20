// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A place for one command at a time, with all that sending and receiving it needs. Its command
 * identifier is made of the place's number and its turn, so that an answer that comes twice does
 * not pass for that of the next command.
 *
 * <p>What belongs to sending is guarded by the queue's lock. What belongs to receiving is touched
 * by the poller only, which learns of the command under that lock.
 */
final class Place {
    /** How far a command has come. */
    enum Stage {
        FREE,
        /** No byte of it was handed to the connection. */
        QUEUED,
        SENDING,
        /** The capsule is sent; data may still follow. */
        SENT
    }

    static final int NUMBER_BITS = 10;

    /** Header, digest and padding: at most what PDO, one byte, can reach. */
    static final int HEADER_ROOM = 256;

    /** A digest behind the header room. */
    static final int ROOM = HEADER_ROOM + 8;

    private final int number;
    private int turn;

    // Sending.
    Stage stage = Stage.FREE;
    @Nullable Command command;
    final ByteBuffer header;
    final ByteBuffer digest;

    /** All data of the command is in its capsule. */
    boolean inCapsule;

    /** Where the data lies in shared memory; -1 if it goes through the socket. */
    int shared = -1;

    /** The data of the PDU that is being sent. */
    @Nullable ByteBuffer sendData;

    /** The R2T that is being answered: next offset, end and tag. */
    int transferOffset;

    int transferEnd;
    int transferTag;
    boolean transferring;

    /** The answer came before all data was sent, which is still to be. */
    boolean answered;

    long answerResult;
    int answerStatus;

    /** By the engine's clock. */
    long deadline;

    boolean aborting;

    // Receiving.
    @Nullable ByteBuffer receiveData;
    int received;
    boolean digestFailed;

    Place(int number, ByteBuffer room) {
        this.number = number;
        this.header = room.slice(0, HEADER_ROOM);
        this.digest = room.slice(HEADER_ROOM, 4);
        header.limit(0);
        digest.limit(0);
    }

    int commandId() {
        return (turn << NUMBER_BITS | number) & 0xFFFF;
    }

    static int numberOf(int commandId) {
        return commandId & ((1 << NUMBER_BITS) - 1);
    }

    void take(Command newCommand) {
        command = newCommand;
        stage = Stage.QUEUED;
        shared = -1;
        transferring = false;
        answered = false;
        aborting = false;
        received = 0;
        digestFailed = false;
        receiveData = null;
        sendData = null;
    }

    /** Ends the command's turn. */
    Command leave() {
        Command left = command;
        if (left == null) {
            throw new IllegalStateException("place " + number + " is free already");
        }
        command = null;
        stage = Stage.FREE;
        sendData = null;
        receiveData = null;
        transferring = false;
        turn++;
        return left;
    }

    /** Whether nothing of the PDU that was prepared is left to send. */
    boolean isPduSent() {
        ByteBuffer data = sendData;
        return !header.hasRemaining()
                && (data == null || !data.hasRemaining())
                && !digest.hasRemaining();
    }
}
