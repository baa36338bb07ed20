// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("isAvailable")
class IoUringDataServiceTest extends TcpDataServiceTest {
    IoUringDataServiceTest() {
        super("io_uring");
    }

    static boolean isAvailable() {
        return Transport.IO_URING.unavailability() == null;
    }
}
