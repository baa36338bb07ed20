// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("isAvailable")
class EpollDataServiceTest extends TcpDataServiceTest {
    EpollDataServiceTest() {
        super("epoll");
    }

    static boolean isAvailable() {
        return Transport.EPOLL.unavailability() == null;
    }
}
