// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import java.time.Duration;

/**
 * The bounds that both halves keep at a target that knows no blocks, all from one number, so that
 * they fit together: the keep-alive timeout that clients ask the target for. What follows from them
 * is argued in docs/adr/0021-flash-tier.md, "External targets".
 *
 * @param keepAlive the timeout, a second at least
 */
public record ExternalTiming(Duration keepAlive) {
    private static final int LOOKS = 8;
    private static final int COMMAND = 2;
    private static final int ASSOCIATION = 3;

    /**
     * The longest chain: a look that is as old as it may be (1), a command that waits for a place
     * (2), is sent and aborted in vain (2 + 1), and whose connection the target must give up (3);
     * and one more for what runs late.
     */
    private static final int QUARANTINE = 10;

    public ExternalTiming {
        if (keepAlive.compareTo(Duration.ofSeconds(1)) < 0
                || keepAlive.compareTo(Duration.ofMinutes(5)) > 0) {
            throw new IllegalArgumentException(
                    "a keep-alive timeout of " + keepAlive + " is not within 1 s to 5 min");
        }
    }

    /** How often clients look at the epoch, and servers at their answers. */
    public Duration look() {
        return keepAlive.dividedBy(LOOKS);
    }

    /** How old a client's look at the epoch may be when it begins a write. */
    public Duration validity() {
        return keepAlive;
    }

    /** Until a client aborts a command. */
    public Duration command() {
        return keepAlive.multipliedBy(COMMAND);
    }

    /** Until a client ends its connection because aborting did not help. */
    public Duration abort() {
        return keepAlive;
    }

    /**
     * From the loss of a connection until the target has given it up. A target that counts traffic
     * notices silence after twice its timeout; the third one is for what it does then.
     */
    public Duration association() {
        return keepAlive.multipliedBy(ASSOCIATION);
    }

    /** From raising a counter until no write of the old generation comes any more. */
    public Duration quarantine() {
        return keepAlive.multipliedBy(QUARANTINE);
    }
}
