// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("isAvailable")
class IoUringDataServiceTest {
    @Nested
    class Serving extends TcpDataServiceTest {
        Serving() {
            super("io_uring");
        }
    }

    @Nested
    class References extends DataReferencesTest {
        References() {
            super("io_uring");
        }
    }

    @Nested
    class Strangers extends DataPathStrangersTest {
        Strangers() {
            super("io_uring");
        }
    }

    static boolean isAvailable() {
        return Transport.IO_URING.unavailability() == null;
    }
}
