// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A namenode with one storage server of four blocks of 1 MiB. */
abstract class OneStorageServer {
    static final UUID UUID_1 = new UUID(1, 1);

    @TempDir Path directory;
    TestNamenode namenode;
    FakeStorage storage;
    TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = new FakeStorage(UUID_1, 0, "one");
        storage.format(0, 4 << 20, 0x1111);
        storage.register(namenode::connect);
        session = namenode.session("tester");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    Statistics.Capacity bytes() throws IOException {
        return session.statistics().classes().get(0);
    }
}
