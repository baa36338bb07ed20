// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.polling;

/**
 * Learns whether the peer runs on the core of the thread that looks for its messages. Then looking
 * may be in vain for long: a yield passes the core on among threads of one's own scheduling group,
 * such as a session or a container. Between groups the core is shared out by time. So the side that
 * has less to do gets the core back at once, until it has looked for as long as the other worked.
 * Only a sleep lets the peer run.
 *
 * <p>A message that was there right after a yield that took its time was made by whoever had the
 * core meanwhile. After {@value #EVIDENCE} such messages in a row the thread sleeps as soon as a
 * yield gave the core to nobody and brought nothing. One message that came without a yield that
 * took time ends that; one wait of {@value #TRY} is looked through to its end, so that such a
 * message can be seen.
 *
 * <p>For one thread.
 */
public final class SharedCore {
    /** A yield that nobody profits from takes a tenth of that. */
    static final long TAKEN_NANOS = 2_000;

    static final int EVIDENCE = 4;
    static final int TRY = 64;

    private int evidence;
    private int waits;
    private boolean impatient;
    private boolean yielded;
    private boolean taken;

    /** A wait begins. */
    public void begin() {
        yielded = false;
        taken = false;
        impatient = evidence == EVIDENCE && ++waits % TRY != 0;
    }

    /** The core was yielded, and came back after so long. */
    public void yielded(long nanos) {
        yielded = true;
        taken = nanos > TAKEN_NANOS;
    }

    /** The look after the yield found something. */
    public void found() {
        if (yielded) {
            evidence = taken ? Math.min(EVIDENCE, evidence + 1) : 0;
        }
    }

    /** Whether to sleep, now that the look after the yield found nothing. */
    public boolean isToBeLeft() {
        return impatient && yielded && !taken;
    }
}
