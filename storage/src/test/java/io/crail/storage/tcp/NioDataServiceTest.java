// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("isAvailable")
class NioDataServiceTest extends TcpDataServiceTest {
    NioDataServiceTest() {
        super("nio");
    }

    static boolean isAvailable() {
        return Transport.NIO.unavailability() == null;
    }
}
