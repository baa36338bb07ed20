// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.command.CommandSet;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.pdu.PduDigest;
import io.crail.nvmf.wire.status.StatusCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A place for a command of a connection, and how far the command is.
 *
 * <p>Owned by the event loop of its connection; between {@link Workers#submit} and {@link
 * EventLoop#completed} by a worker, which runs it and touches nothing else of the connection.
 */
final class Slot implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Slot.class);

    /** How far a command is. */
    enum Stage {
        FREE,
        /** Waits for a data buffer. */
        PARKED,
        /** Its capsule comes in. */
        RECEIVING,
        /** The host was asked for its data, or is about to be. */
        AWAITING,
        /** With the workers. */
        AWAY,
        /** Left open by its command set. */
        HELD,
        /** Its answer waits to be sent. */
        ANSWERED
    }

    final Connection connection;
    final Command command;
    Stage stage = Stage.FREE;

    /** Bytes of its data that have come. */
    int received;

    /** A piece of its data came with a wrong digest. */
    boolean damaged;

    /** What is to be sent first: R2T if true, else the answer. */
    boolean asksForData;

    /** Digest of the data for the host, if the connection has data digests. */
    int dataDigest;

    /** Whether a worker is to compute that digest. */
    boolean wantsDigest;

    /** Reads by the ring that have not ended: of its data, and of the unit that goes along. */
    int readsUnderWay;

    /** One of them did not bring all. */
    boolean fellShort;

    /** Next in the list of completed ones. */
    @Nullable Slot next;

    private boolean started;

    private CommandSet commands = NoCommands.INSTANCE;

    Slot(Connection connection, int number) {
        this.connection = connection;
        this.command = new Command(number);
    }

    void begin(CommandSet of) {
        commands = of;
        received = 0;
        damaged = false;
        asksForData = false;
        started = false;
    }

    /** Whether it may be carried out by {@link #beginRead} and {@link #endRead}. */
    boolean isPlainRead() {
        return !wantsDigest && commands.isPlainRead(command);
    }

    /** Lets a plain read to its medium; false if it has ended before, with a status. */
    boolean beginRead() {
        if (!command.start()) {
            command.status(StatusCode.ABORT_REQUESTED.status());
            return false;
        }
        started = true;
        try {
            return commands.beginRead(command);
        } catch (RuntimeException e) {
            failed(e);
            return false;
        }
    }

    /** Nothing of the read happens any more; if it did not succeed it may be executed. */
    void endRead() {
        commands.endRead(command);
    }

    /** Carries out the command; false if it stays open. */
    boolean execute() {
        if (!started && !command.start()) {
            command.status(StatusCode.ABORT_REQUESTED.status());
            return true;
        }
        try {
            boolean done = commands.execute(command);
            if (done && wantsDigest && sendsData()) {
                dataDigest =
                        new PduDigest().of(command.data(), command.dataOffset(), command.length());
            }
            return done;
        } catch (RuntimeException | Error e) {
            // Also for lack of memory: a slot that is not handed back would be lost.
            failed(e);
            return true;
        }
    }

    private void failed(Throwable e) {
        LOG.error("A {} command failed by a fault of the target", command.kind(), e);
        command.status(StatusCode.INTERNAL_ERROR.doNotRetry());
    }

    /** Whether data goes to the host before the completion. */
    boolean sendsData() {
        return command.isSuccess()
                && !command.isLent()
                && command.direction() == DataDirection.CONTROLLER_TO_HOST;
    }

    /** By a worker. */
    @Override
    public void run() {
        execute();
        connection.loop().completed(this);
    }
}
