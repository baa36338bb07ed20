// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.contract;

import io.crail.hadoop.TestCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Suites of hadoop-common for a FileSystem that are older than the contracts. */
@Tag("hadoop")
class FileSystemTest {
    /** As a user who may not do everything. */
    @Nested
    class MainOperations extends FSMainOperationsBaseTest {
        // A test of the suite tears down in its middle: what was opened is closed at the end.
        private static final List<FileSystem> OPENED = new ArrayList<>();

        @Override
        protected FileSystem createFileSystem() throws IOException {
            try (FileSystem superuser = TestCluster.open(TestCluster.configuration())) {
                Path home = new Path("/user/somebody");
                superuser.mkdirs(home);
                superuser.setOwner(home, "somebody", null);
            }
            Configuration configuration = TestCluster.configuration();
            configuration.set("fs.crail.client.user", "somebody");
            FileSystem opened = TestCluster.open(configuration);
            OPENED.add(opened);
            return opened;
        }

        @Override
        protected Path getDefaultWorkingDirectory() {
            return fSys.makeQualified(new Path("/user/somebody"));
        }

        @AfterAll
        static void close() throws IOException {
            for (FileSystem each : OPENED) {
                each.close();
            }
        }
    }

    @Nested
    class BaseContract extends FileSystemContractBaseTest {
        @BeforeEach
        void open() throws IOException {
            fs = TestCluster.open(TestCluster.configuration());
        }

        @Override
        @AfterEach
        public void tearDown() throws Exception {
            super.tearDown();
            fs.close();
        }
    }
}
