// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a running server shows of itself to operators: counters that cost the hot path nothing,
 * Prometheus text and JSON made of them, and the HTTP server that answers.
 *
 * <p>Servers enter with a {@link io.crail.status.StatusSource}, which fills a {@link
 * io.crail.status.Scrape} at every request. Nothing of what users store passes through here.
 */
@NullMarked
package io.crail.status;

import org.jspecify.annotations.NullMarked;
