// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;

/**
 * The file system as FileContext wants it. Thread-safe.
 *
 * <p>It has no close: its client is given back when it is garbage collected, or when the JVM ends.
 */
public final class CrailFs extends DelegateToFileSystem {
    /** Called by Hadoop. */
    public CrailFs(URI uri, Configuration configuration) throws IOException, URISyntaxException {
        super(uri, new CrailFileSystem(), configuration, ConnectedFileSystem.SCHEME, false);
    }
}
