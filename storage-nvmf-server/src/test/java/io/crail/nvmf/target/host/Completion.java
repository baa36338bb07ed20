// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;

/** How a command ended, and the data that came. */
public record Completion(int commandId, int status, long result, int head, byte[] data) {
    public Completion expectSuccess() {
        assertThat(Status.describe(status, StatusCode.Scope.ANY)).startsWith("success");
        return this;
    }

    /** With that code, and Do Not Retry. */
    public Completion expectFinal(StatusCode code) {
        expect(code);
        assertThat(Status.isDoNotRetry(status)).as("do not retry").isTrue();
        return this;
    }

    public Completion expect(StatusCode code) {
        assertThat(Status.describe(status & Status.CODE_MASK, code.scope()))
                .isEqualTo(Status.describe(code.status(), code.scope()));
        return this;
    }

    public ByteBuffer bytes() {
        return ByteBuffer.wrap(data);
    }
}
