// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("isAvailable")
class NioDataServiceTest {
    @Nested
    class Serving extends TcpDataServiceTest {
        Serving() {
            super("nio");
        }
    }

    @Nested
    class References extends DataReferencesTest {
        References() {
            super("nio");
        }
    }

    @Nested
    class Strangers extends DataPathStrangersTest {
        Strangers() {
            super("nio");
        }
    }

    static boolean isAvailable() {
        return Transport.NIO.unavailability() == null;
    }
}
