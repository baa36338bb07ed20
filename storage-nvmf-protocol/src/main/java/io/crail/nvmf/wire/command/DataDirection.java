// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.command;

/** Which way the data of a command goes: bits 1:0 of its opcode, or of FCTYPE. */
public enum DataDirection {
    NONE,
    HOST_TO_CONTROLLER,
    CONTROLLER_TO_HOST,
    BOTH;

    /**
     * The direction that an opcode tells.
     *
     * @param opcode of a command, or FCTYPE of a fabrics command
     */
    public static DataDirection of(int opcode) {
        return switch (opcode & 3) {
            case 0 -> NONE;
            case 1 -> HOST_TO_CONTROLLER;
            case 2 -> CONTROLLER_TO_HOST;
            default -> BOTH;
        };
    }
}
