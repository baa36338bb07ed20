// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.admin.AdminPeer;
import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.wire.command.AbortCommand;
import java.net.InetSocketAddress;

/**
 * What the admin commands of a connection need of it. For its event loop.
 *
 * @param localAddress the address that the host reached
 * @param localSocket path of the Unix socket that it may use, too; empty for none
 */
record AdminLink(Connection connection, InetSocketAddress localAddress, String localSocket)
        implements AdminPeer {
    @Override
    public void post(Runnable task) {
        connection.loop().post(task);
    }

    @Override
    public void complete(Command command) {
        connection.complete(command);
    }

    /** Asks the loop of the other queue, which answers by the loop of this one. */
    @Override
    public void abort(Command abort, HostQueue other, int commandId) {
        if (!(other.link() instanceof Connection owner)) {
            throw new IllegalStateException("a queue of another transport");
        }
        owner.loop()
                .post(
                        () -> {
                            boolean aborted = owner.abort(commandId);
                            connection
                                    .loop()
                                    .post(
                                            () -> {
                                                abort.result(AbortCommand.result(aborted));
                                                complete(abort);
                                            });
                        });
    }
}
