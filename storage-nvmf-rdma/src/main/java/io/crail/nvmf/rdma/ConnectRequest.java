// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import io.crail.nvmf.wire.LittleEndian;
import java.nio.ByteBuffer;

/**
 * What a request for a connection carries, 32 bytes (NVMe RDMA Transport 1.0, section 3.1.1).
 *
 * <pre>
 *  0  u16  RECFMT, 0
 *  2  u16  QID: 0 for the admin queue
 *  4  u16  HRQSIZE: entries of the host's receive queue
 *  6  u16  HSQSIZE: entries of the host's send queue, from zero
 *  8  u16  CNTLID, reserved here
 * </pre>
 */
final class ConnectRequest {
    static final int QUEUE_ID = 2;
    static final int RECEIVES = 4;
    static final int SENDS = 6;
    static final int SIZE = 32;

    private ConnectRequest() {}

    /**
     * Writes the request.
     *
     * @param receives answers that the host is ready for
     * @param sends entries of the host's send queue
     */
    static void encode(ByteBuffer buffer, int at, int queueId, int receives, int sends) {
        LittleEndian.zero(buffer, at, SIZE);
        LittleEndian.u16(buffer, at + QUEUE_ID, queueId);
        LittleEndian.u16(buffer, at + RECEIVES, receives);
        LittleEndian.u16(buffer, at + SENDS, sends - 1);
    }
}
