// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.command.CommandSet;
import io.crail.nvmf.wire.status.StatusCode;

/** What a slot means before it ever had a command. */
enum NoCommands implements CommandSet {
    INSTANCE;

    @Override
    public int prepare(Command command) {
        return StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry();
    }

    @Override
    public boolean execute(Command command) {
        command.status(StatusCode.COMMAND_SEQUENCE_ERROR.doNotRetry());
        return true;
    }

    @Override
    public boolean mayWait() {
        return false;
    }
}
