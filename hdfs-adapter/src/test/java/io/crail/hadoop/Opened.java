// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** A file system of the cluster for each test, and an empty directory of its own. */
abstract class Opened {
    CrailFileSystem fs = new CrailFileSystem();
    Path directory = new Path("/");

    @BeforeEach
    void open(TestInfo test) throws IOException {
        Configuration configuration = TestCluster.configuration();
        fs = TestCluster.open(configuration);
        directory =
                new Path(
                        "/"
                                + getClass().getSimpleName()
                                + "/"
                                + test.getTestMethod().orElseThrow().getName());
        fs.mkdirs(directory);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(directory, true);
        fs.close();
    }

    final Path path(String name) {
        return new Path(directory, name);
    }

    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    final Path write(String name, byte[] bytes) throws IOException {
        try (FSDataOutputStream out = fs.create(path(name))) {
            out.write(bytes);
        }
        return path(name);
    }

    final byte[] read(Path path) throws IOException {
        try (InputStream in = fs.open(path)) {
            return in.readAllBytes();
        }
    }

    final FSDataInputStream open(Path path) throws IOException {
        return fs.open(path);
    }

    /** Calls to the namenode that a piece of work makes. */
    final long calls(Work work) throws IOException {
        long before = fs.client().clientStatistics().rpcCalls();
        work.run();
        return fs.client().clientStatistics().rpcCalls() - before;
    }

    @FunctionalInterface
    interface Work {
        void run() throws IOException;
    }
}
