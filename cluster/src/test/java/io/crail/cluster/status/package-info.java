// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Scrapes started servers: the metrics are parsed strictly and compared with what is documented.
 *
 * <p>Nothing enters but a whole embedded cluster.
 */
@NullMarked
package io.crail.cluster.status;

import org.jspecify.annotations.NullMarked;
