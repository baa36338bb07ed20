// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.host;

import io.crail.nvmf.wire.pdu.PduType;
import java.nio.ByteBuffer;

/** A PDU that the target sent: its header, and its data without padding and digest. */
public record Pdu(PduType type, ByteBuffer header, byte[] data) {}
