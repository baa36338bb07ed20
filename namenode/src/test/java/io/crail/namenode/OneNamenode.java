// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A namenode without storage, and a session. */
abstract class OneNamenode {
    @TempDir Path directory;
    TestNamenode namenode;
    TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        session = namenode.session("tester");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        namenode.close();
    }
}
