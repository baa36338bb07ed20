// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.content;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import java.io.IOException;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.util.DataChecksum;

/**
 * The CRC32C of all bytes of a file, which HDFS tells as well if it is asked for composite ones
 * ({@code dfs.checksum.combine.mode=COMPOSITE_CRC}), so that both can be compared. As with HDFS it
 * is that of what was written, put together from stored checksums, and says nothing of what has
 * become of the bytes since; who reads them finds out.
 *
 * @param client reads the files
 */
public record Checksums(CrailClient client) {
    /** Bytes that crail keeps a checksum of. */
    private static final int CHUNK = 4 << 10;

    /**
     * The checksum of the beginning of a file.
     *
     * @param atMost so many bytes, or as many as there are
     */
    public FileChecksum of(String path, long atMost) throws IOException {
        try (CrailFile file = client.open(path)) {
            return new CompositeCrcFileChecksum(
                    (int) file.checksum(atMost), DataChecksum.Type.CRC32C, CHUNK);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }
}
