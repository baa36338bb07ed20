// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Silence after which a controller gives this host up. It rounds what Connect asks for up to what
 * it tells apart, its KAS (NVMe Base 2.0, section 5.27.1.12). It may also have a least timeout, of
 * which Identify says nothing: SPDK has one of its own, 10 s, whatever its KAS. So it is asked for
 * the value in force; one that does not tell has its KAS only.
 */
final class KeepAliveTimeout {
    private static final Logger LOG = LoggerFactory.getLogger(KeepAliveTimeout.class);

    /** Of KAS. */
    private static final long UNIT_MILLIS = 100;

    private static final long UNSIGNED = 0xFFFF_FFFFL;

    private KeepAliveTimeout() {}

    /**
     * The timeout, once the controller is enabled.
     *
     * @param units KAS
     * @return zero if it never gives this host up
     */
    static Duration of(Association association, int units)
            throws NvmeException, InterruptedIOException {
        long asked = association.config().keepAlive().toMillis();
        long unit = UNIT_MILLIS * units;
        if (asked == 0 || unit == 0) {
            return Duration.ZERO;
        }
        long rounded = (asked + unit - 1) / unit * unit;
        return Duration.ofMillis(Math.max(rounded, inForce(association)));
    }

    /** What the controller says, in milliseconds; 0 if it does not. */
    private static long inForce(Association association)
            throws NvmeException, InterruptedIOException {
        try {
            return association.adminNow(
                            "Get Features Keep Alive Timer",
                            DataDirection.NONE,
                            null,
                            (buffer, at, id) ->
                                    FeaturesCommand.encodeGet(
                                            buffer,
                                            at,
                                            id,
                                            0,
                                            FeatureId.KEEP_ALIVE_TIMER,
                                            FeaturesCommand.SELECT_CURRENT))
                    & UNSIGNED;
        } catch (NvmeStatusException e) {
            LOG.debug("A target does not tell its keep-alive timeout", e);
            return 0;
        }
    }
}
