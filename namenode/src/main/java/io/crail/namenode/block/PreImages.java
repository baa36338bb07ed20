// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import org.jspecify.annotations.Nullable;

/** Shows each slab to the snapshot that runs, if one does, before the slab's first change in it. */
final class PreImages {
    private @Nullable BeforeChange hook;
    private int epoch;

    int epoch() {
        return epoch;
    }

    void begin(BeforeChange beforeChange) {
        if (hook != null) {
            throw new IllegalStateException("a snapshot of the block map is running already");
        }
        epoch++;
        hook = beforeChange;
    }

    void end() {
        hook = null;
    }

    /** To be called before any change of what is stored of a slab. */
    void touch(Slab slab) {
        if (hook != null && slab.epoch != epoch) {
            hook.changing(slab.segment.server.id, slab.segment.number, slab.index);
            slab.epoch = epoch;
        }
    }

    /** Whether the snapshot that runs has this slab; marks it. */
    boolean seen(Slab slab) {
        if (hook == null) {
            return false;
        }
        boolean seen = slab.epoch == epoch;
        slab.epoch = epoch;
        return seen;
    }
}
