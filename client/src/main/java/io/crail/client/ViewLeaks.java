// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.view.HeldBlocks;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes views that were forgotten, and says so once. Its thread comes with the first view. */
final class ViewLeaks {
    private static final Logger LOG = LoggerFactory.getLogger(ViewLeaks.class);

    private final AtomicBoolean told = new AtomicBoolean();
    private @Nullable Cleaner cleaner;

    private synchronized Cleaner cleaner() {
        if (cleaner == null) {
            cleaner = Cleaner.create();
        }
        return cleaner;
    }

    /** The public view of what is held. */
    CrailView view(String what, HeldBlocks held) {
        AtomicBoolean once = told;
        return new ConnectedView(what, held, cleaner(), () -> forgotten(what, held, once));
    }

    /** Runs at each close, too; then there is nothing left to give back. */
    private static void forgotten(String what, HeldBlocks held, AtomicBoolean told) {
        if (held.end() && told.compareAndSet(false, true)) {
            LOG.warn(
                    "A view ({}) was never closed; its blocks were given back when it was garbage"
                            + " collected. Close views, for example in try-with-resources. This is"
                            + " said once only.",
                    what);
        }
    }
}
