// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What both ends of NVMe/TCP must agree on, from the NVM Express Base Specification 2.0, the NVM
 * Command Set Specification 1.0 and the NVMe TCP Transport Specification 1.0. Initiator and target
 * enter here, nobody else. The rooms below hold one kind of structure each: {@code pdu} what is on
 * the connection, {@code command} submission and completion entries, {@code property}, {@code
 * identify}, {@code log} and {@code reservation} what commands carry, {@code status} how they end.
 * This one holds what all of them need to get at a field.
 *
 * <p>Structures are static flyweights: methods take a buffer and the absolute position where the
 * structure begins, make no objects, and serve both directions. They check nothing but the bounds
 * of the buffer; what a peer may send is checked by {@link io.crail.nvmf.wire.pdu.PduFraming} and
 * by the end that acts on a command.
 */
@NullMarked
package io.crail.nvmf.wire;

import org.jspecify.annotations.NullMarked;
