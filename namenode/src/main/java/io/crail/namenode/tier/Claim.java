// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * That one session moves what lies on one server, and how far it is. It keeps others from doing the
 * same; it protects nothing, so it is neither logged nor waited for.
 */
final class Claim {
    private static final int NOTHING = -1;

    final int server;
    final long session;
    final String name;
    long askedNanos;

    /** Bytes of the last plan, until the mover asks again. */
    long outstanding;

    /** Class that the last plan frees, or -1. */
    int demotedClass = NOTHING;

    /** Class that the last plan fills with hot nodes, or -1. */
    int promotedClass = NOTHING;

    /** Before that no new sweep begins: the last one found nothing. */
    long restNanos;

    /** Cold node of which a part is planned, and where it goes on; 0 = none. */
    long coldNode;

    long coldOffset;

    /** Hot node of which a part is planned, where it goes on, and to which class; 0 = none. */
    long hotNode;

    long hotOffset;
    int hotTarget;

    private @Nullable Sweep sweep;
    private boolean planned;

    Claim(int server, long session, String name, long askedNanos) {
        this.server = server;
        this.session = session;
        this.name = name;
        this.askedNanos = askedNanos;
        this.restNanos = askedNanos;
    }

    /** What was planned is done, or is not done any more. */
    void settle() {
        outstanding = 0;
        demotedClass = NOTHING;
        promotedClass = NOTHING;
    }

    boolean isSweeping() {
        return sweep != null;
    }

    Sweep sweep() {
        return Objects.requireNonNull(sweep);
    }

    void sweep(Sweep begun) {
        sweep = begun;
        planned = false;
    }

    void stopSweeping() {
        sweep = null;
        coldNode = 0;
    }

    /** Something that the sweep has found is moved. */
    void planned() {
        planned = true;
    }

    boolean hasPlanned() {
        return planned;
    }
}
