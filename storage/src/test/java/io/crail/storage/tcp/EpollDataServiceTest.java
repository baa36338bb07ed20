// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("isAvailable")
class EpollDataServiceTest {
    @Nested
    class Serving extends TcpDataServiceTest {
        Serving() {
            super("epoll");
        }
    }

    @Nested
    class References extends DataReferencesTest {
        References() {
            super("epoll");
        }
    }

    @Nested
    class Strangers extends DataPathStrangersTest {
        Strangers() {
            super("epoll");
        }
    }

    static boolean isAvailable() {
        return Transport.EPOLL.unavailability() == null;
    }
}
