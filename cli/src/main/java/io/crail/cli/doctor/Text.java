// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.doctor;

import io.crail.protocol.config.ByteSize;

/** Text for people. */
final class Text {
    private Text() {}

    static String size(long bytes) {
        return new ByteSize(bytes).rounded();
    }
}
