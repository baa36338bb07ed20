// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.ProtocolException;

/** What an acknowledged mutation survives. */
public enum Durability {
    /** The end of the namenode may lose the last records: they are written when many are due. */
    NONE(0),
    /** Survives kill -9 of the namenode: records are handed to the kernel before the answer. */
    PROCESS(1),
    /** Survives a crash of the host: answers wait until records are on stable storage. */
    SYNC(2);

    private final int code;

    Durability(int code) {
        this.code = code;
    }

    /** The number that stands for this level in the log; never changed. */
    public int code() {
        return code;
    }

    public static Durability ofCode(int code) throws ProtocolException {
        for (Durability level : values()) {
            if (level.code == code) {
                return level;
            }
        }
        throw new ProtocolException("unknown level of durability " + code);
    }
}
