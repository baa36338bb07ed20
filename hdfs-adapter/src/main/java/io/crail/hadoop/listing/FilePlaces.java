// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.listing;

import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import io.crail.hadoop.status.CrailFileStatus;
import io.crail.hadoop.status.CrailLocatedFileStatus;
import io.crail.hadoop.status.Places;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.BlockLocation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the bytes of listed files lie. Listings say it; only for a file in very many pieces, or one
 * that was listed by itself, it is asked for when somebody wants to know. Thread-safe.
 */
record FilePlaces(CrailClient client, Places places) {
    private static final Logger LOG = LoggerFactory.getLogger(FilePlaces.class);

    /**
     * A status that tells the places.
     *
     * @param known places of all bytes, if the listing said them
     */
    CrailLocatedFileStatus located(
            CrailFileStatus status, Optional<List<io.crail.client.BlockLocation>> known) {
        return new CrailLocatedFileStatus(status, () -> of(status, known));
    }

    private BlockLocation[] of(
            CrailFileStatus status, Optional<List<io.crail.client.BlockLocation>> known) {
        if (!status.isFile() || status.getLen() == 0) {
            return new BlockLocation[0];
        }
        try {
            List<io.crail.client.BlockLocation> found =
                    known.isPresent()
                            ? known.get()
                            : client.locations(status.getPath().toUri().getPath());
            return places.of(client, found, 0, status.getLen());
        } catch (CrailException e) {
            // Places are a hint. Who divides the file finds a place without a host.
            LOG.debug("The blocks of {} were not found.", status.getPath(), e);
            return new BlockLocation[] {
                new BlockLocation(new String[0], new String[0], 0, status.getLen())
            };
        }
    }
}
