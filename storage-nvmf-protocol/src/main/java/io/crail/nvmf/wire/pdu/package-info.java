// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Protocol data units of the TCP transport: the common header, one class for each PDU, digests, and
 * {@link io.crail.nvmf.wire.pdu.PduFraming}, which says where header, digests and data lie after
 * what was negotiated. A receiver reads the eight bytes of the common header, lets them be checked,
 * reads and checks the header, and then knows how many bytes of data follow, and for whom.
 */
@NullMarked
package io.crail.nvmf.wire.pdu;

import org.jspecify.annotations.NullMarked;
