// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.admin;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.subsystem.HostQueue;
import java.net.InetSocketAddress;

/** What admin commands need of the connection they came by. Called by its event loop. */
public interface AdminPeer {
    /** The address that the host reached. */
    InetSocketAddress localAddress();

    /** The path of the Unix socket that the host may use, too; empty if there is none for it. */
    String localSocket();

    /** Runs a task on the event loop of the connection, soon; by any thread. */
    void post(Runnable task);

    /** Answers a command that {@code execute} had left open. */
    void complete(Command command);

    /**
     * Tries to abort a command of a queue, and completes the Abort when it is known whether that
     * succeeded.
     *
     * @param abort the Abort command, left open
     * @param queue that the command is on
     * @param commandId of the command to abort
     */
    void abort(Command abort, HostQueue queue, int commandId);
}
