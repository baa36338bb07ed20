// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * How much of a STREAM is kept; 0 = no such limit.
 *
 * @param maxBytes bytes of frames
 * @param maxRecords records
 * @param maxAgeMillis time since a record was appended
 */
public record Retention(long maxBytes, long maxRecords, long maxAgeMillis) {
    public static final Retention ALL = new Retention(0, 0, 0);

    public void encode(WireWriter writer) {
        writer.i64(maxBytes).i64(maxRecords).i64(maxAgeMillis);
    }

    public static Retention decode(WireReader reader) throws ProtocolException {
        return new Retention(reader.length64(), reader.length64(), reader.length64());
    }
}
