// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.content;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailView;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.util.DataChecksum;

/**
 * The CRC32C of all bytes of a file, which HDFS tells as well if it is asked for composite ones
 * ({@code dfs.checksum.combine.mode=COMPOSITE_CRC}), so that both can be compared. The bytes are
 * verified against what the writer stored while they are read.
 *
 * @param client reads the files
 */
public record Checksums(CrailClient client) {
    /** Bytes that are looked at together. */
    private static final long PIECE = 8L << 20;

    /** Bytes that crail keeps a checksum of. */
    private static final int CHUNK = 4 << 10;

    /**
     * The checksum of the beginning of a file.
     *
     * @param atMost so many bytes, or as many as there are
     */
    public FileChecksum of(String path, long atMost) throws IOException {
        try (CrailFile file = client.open(path)) {
            CRC32C sum = new CRC32C();
            long end = Math.min(atMost, file.length());
            for (long at = 0; at < end; at += PIECE) {
                try (CrailView view = file.view(at, Math.min(PIECE, end - at))) {
                    for (ByteBuffer part : view.buffers()) {
                        sum.update(part);
                    }
                }
            }
            return new CompositeCrcFileChecksum(
                    (int) sum.getValue(), DataChecksum.Type.CRC32C, CHUNK);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }
}
