// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.listing;

import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.error.CrailException;
import io.crail.hadoop.status.CrailFileStatus;
import io.crail.hadoop.status.CrailLocatedFileStatus;
import io.crail.hadoop.status.Places;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listing whose entries can tell where their bytes lie. Not thread-safe; the entries are.
 *
 * <p>The places of a file are asked for when somebody wants to know them, which for most listings
 * nobody does. Who wants to know one wants to know all: with the first, those of the entries that
 * follow in a group are asked for as well, without waiting.
 */
public final class LocatedListing implements RemoteIterator<LocatedFileStatus> {
    private static final Logger LOG = LoggerFactory.getLogger(LocatedListing.class);

    /** Files whose places are asked for together. */
    private static final int GROUP = 64;

    private final CrailClient client;
    private final Places places;
    private final Listing listing;
    private final Deque<CrailFileStatus> group = new ArrayDeque<>();
    private Questions questions = new Questions();

    public LocatedListing(CrailClient client, Places places, Listing listing) {
        this.client = client;
        this.places = places;
        this.listing = listing;
    }

    @Override
    public boolean hasNext() throws IOException {
        return !group.isEmpty() || listing.hasNext();
    }

    @Override
    public LocatedFileStatus next() throws IOException {
        if (group.isEmpty()) {
            group.add(listing.next());
            while (group.size() < GROUP && listing.hasNext()) {
                group.add(listing.next());
            }
            questions = new Questions();
            group.forEach(questions::add);
        }
        CrailFileStatus status = group.remove();
        Questions mine = questions;
        return new CrailLocatedFileStatus(status, () -> mine.places(status));
    }

    /** What is asked for together. Thread-safe. */
    private final class Questions {
        private final Deque<CrailFileStatus> unasked = new ArrayDeque<>();
        private final Map<CrailFileStatus, CrailFuture<List<io.crail.client.BlockLocation>>> asked =
                new HashMap<>();

        synchronized void add(CrailFileStatus status) {
            if (status.isFile() && status.getLen() > 0) {
                unasked.add(status);
            }
        }

        BlockLocation[] places(CrailFileStatus status) {
            @Nullable CrailFuture<List<io.crail.client.BlockLocation>> answer = ask(status);
            if (answer == null) {
                return new BlockLocation[0];
            }
            try {
                return places.of(client, answer.join(), 0, status.getLen());
            } catch (CrailException | CompletionException e) {
                // Places are a hint. Who divides the file finds a place without a host.
                LOG.debug("The blocks of {} were not found.", status.getPath(), e);
                return new BlockLocation[] {
                    new BlockLocation(new String[0], new String[0], 0, status.getLen())
                };
            }
        }

        private synchronized @Nullable CrailFuture<List<io.crail.client.BlockLocation>> ask(
                CrailFileStatus status) {
            for (CrailFileStatus each : unasked) {
                asked.put(each, client.locationsAsync(each.getPath().toUri().getPath()));
            }
            unasked.clear();
            return asked.remove(status);
        }
    }
}
