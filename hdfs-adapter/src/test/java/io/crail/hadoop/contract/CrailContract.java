// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.contract;

import io.crail.hadoop.TestCluster;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;
import org.jspecify.annotations.Nullable;

/** What crail promises, in the words of Hadoop's suites, and where they find it. */
final class CrailContract extends AbstractFSContract {
    private static final String SCHEME = "crail";

    private @Nullable FileSystem fileSystem;

    CrailContract(Configuration configuration) {
        super(TestCluster.configure(configuration));
        addConfResource("contract-crail.xml");
    }

    @Override
    public void init() throws IOException {
        super.init();
        // Not one of the cache: that one may have another configuration.
        FileSystem found =
                FileSystem.newInstance(guarded(FileSystem.getDefaultUri(getConf())), getConf());
        guarded(found.getUri());
        fileSystem = found;
    }

    @Override
    public void teardown() throws IOException {
        getTestFileSystem().close();
        super.teardown();
    }

    /** The suites remove what they find at the root. */
    private static URI guarded(URI uri) {
        if (!SCHEME.equals(uri.getScheme())) {
            throw new IllegalStateException(
                    "the suites would run against " + uri + ", and destroy what is there");
        }
        return uri;
    }

    @Override
    public FileSystem getTestFileSystem() {
        FileSystem found = fileSystem;
        if (found == null) {
            throw new IllegalStateException("the contract was not initialized");
        }
        return found;
    }

    @Override
    public FileSystem getFileSystem(URI uri) throws IOException {
        return super.getFileSystem(guarded(uri));
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public Path getTestPath() {
        return new Path("/test");
    }
}
