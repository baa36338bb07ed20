// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.Splicer.Opened;
import io.crail.namenode.Splicer.Piece;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A namenode with files of two sessions, and what has to be true of them in the end. */
abstract class SplicedFiles {
    static final int BLOCK = 1 << 20;

    @TempDir Path directory;
    TestNamenode namenode;
    FakeStorage storage;
    TestSession session;
    TestSession reader;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = namenode.storage(64);
        session = namenode.session("session");
        reader = namenode.session("reader");
    }

    /** Nothing may be left, whatever a test has done. */
    @AfterEach
    void stop() throws IOException {
        reader.endSession();
        for (String name : session.list("/")) {
            session.delete("/" + name, true);
        }
        session.endSession();
        namenode.settle();
        storage.fenceAll();
        namenode.checkConservation();
        TestSession last = namenode.session("last");
        assertThat(last.statistics().servers().get(0).committed()).isZero();
        last.close();
        storage.close();
        session.close();
        reader.close();
        namenode.close();
    }

    long committed() throws IOException {
        storage.fenceAll();
        return session.statistics().servers().get(0).committed();
    }

    void assertIntact(List<Piece> pieces) throws IOException {
        storage.fenceAll();
        for (Piece piece : pieces) {
            assertThat(storage.generation(piece.block().segment(), piece.block().record()))
                    .as("a block that is being read")
                    .isEqualTo(piece.generation());
        }
    }

    void assertKept(Opened opened) throws IOException {
        assertThat(opened.piecesNow(reader)).isEqualTo(opened.pieces());
        assertThat(opened.now(reader).length()).isEqualTo(opened.status().length());
        assertIntact(opened.pieces());
    }

    void passRetention() throws IOException {
        for (int i = 0; i < 63; i++) {
            namenode.advance(Duration.ofSeconds(10));
            storage.heartbeat();
            reader.keepAlive(new long[0], List.of());
            session.keepAlive(new long[0], List.of());
        }
    }
}
