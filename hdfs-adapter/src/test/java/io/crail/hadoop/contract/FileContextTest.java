// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.hadoop.CrailFileSystem;
import io.crail.hadoop.CrailFs;
import io.crail.hadoop.TestCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FCStatisticsBaseTest;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextURIBase;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileSystem.Statistics;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Suites of hadoop-common for FileContext, which finds crail without a configuration. */
@Tag("hadoop")
class FileContextTest {
    private static FileContext context() throws IOException {
        // FileContext has no ServiceLoader: it knows crail once any FileSystem was looked for.
        assertThat(FileSystem.getFileSystemClass("crail", new Configuration()))
                .isEqualTo(CrailFileSystem.class);
        FileContext found =
                FileContext.getFileContext(TestCluster.uri(), TestCluster.configuration());
        assertThat(found.getDefaultFileSystem()).isInstanceOf(CrailFs.class);
        return found;
    }

    @Nested
    class MainOperations extends FileContextMainOperationsBaseTest {
        @Override
        @BeforeEach
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }

        @Override
        protected boolean listCorruptedBlocksSupported() {
            return false;
        }
    }

    @Nested
    class CreateMkdir extends FileContextCreateMkdirBaseTest {
        @Override
        @BeforeEach
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }
    }

    @Nested
    class Permissions extends FileContextPermissionBase {
        @Override
        protected FileContext getFileContext() throws IOException {
            return context();
        }
    }

    @Nested
    class Uris extends FileContextURIBase {
        @Override
        @BeforeEach
        public void setUp() throws Exception {
            fc1 = context();
            fc2 = context();
            super.setUp();
        }
    }

    @Nested
    class Utilities extends FileContextUtilBase {
        @Override
        @BeforeEach
        public void setUp() throws Exception {
            fc = context();
            super.setUp();
        }
    }

    @Nested
    class CountedBytes extends FCStatisticsBaseTest {
        @BeforeEach
        void open() throws IOException {
            fc = context();
            FileContext.clearStatistics();
        }

        @Override
        protected void verifyReadBytes(Statistics statistics) {
            // Twice the file, once by positioned reads.
            assertThat(statistics.getBytesRead()).isEqualTo(2L * blockSize);
        }

        @Override
        protected void verifyWrittenBytes(Statistics statistics) {
            assertThat(statistics.getBytesWritten()).isEqualTo((long) blockSize);
        }

        @Override
        protected URI getFsUri() {
            return TestCluster.uri();
        }
    }
}
