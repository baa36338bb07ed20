// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.protocol.frame.WireReader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A successful answer.
 *
 * @param control its control part
 * @param payload its payload, on the heap, ready to be read; null without payload
 * @param requestId id of the request, which is the handle if it made one
 * @param incarnation the session it was made under
 */
public record Reply(
        WireReader control, @Nullable ByteBuffer payload, long requestId, int incarnation) {}
