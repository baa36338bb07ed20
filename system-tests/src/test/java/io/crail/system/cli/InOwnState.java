// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of commands that start servers, with a state directory for each test. Whatever a test that
 * fails has left running in it ends.
 */
abstract class InOwnState {
    @TempDir Path directory;
    State state = new State(Path.of("/"));

    @BeforeEach
    final void useDirectory() {
        state = new State(directory);
    }

    @AfterEach
    final void removeState() {
        state.removeAll();
    }
}
