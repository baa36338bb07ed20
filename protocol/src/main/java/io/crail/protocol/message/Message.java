// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.protocol.frame.WireWriter;

/**
 * The control part of a frame. Implementations are immutable records; arrays in them are owned by
 * the record and must not be changed by anybody.
 */
public interface Message {
    /** The type in the header of a frame that carries this message (request and reply share it). */
    MessageType type();

    /** About how many bytes that will be; a hint. */
    default int sizeHint() {
        return 128;
    }

    /** Appends the fields, in the order of the specification. */
    void encode(WireWriter writer);
}
