// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import java.io.IOException;
import java.util.List;

/**
 * One of the systems that are compared, with a connection of its own. Paths are absolute. Safe for
 * use by several threads.
 */
interface Store extends AutoCloseable {
    /** Asks for the attributes of a node. */
    void stat(String path) throws IOException;

    void mkdirs(String path) throws IOException;

    /** Creates an empty file and closes it. */
    void create(String path) throws IOException;

    /**
     * Writes a file from the first to the last byte, replacing what is there.
     *
     * @param buffer is written again and again
     * @param bytes of the file
     */
    void write(String path, byte[] buffer, long bytes) throws IOException;

    /**
     * Opens a file, reads it once from the first to the last byte, and closes it.
     *
     * @param buffer takes the bytes
     * @return how many bytes there were
     */
    long read(String path, byte[] buffer) throws IOException;

    /** Lists a directory with the attributes of its entries; returns how many there are. */
    int list(String path) throws IOException;

    /** Removes a directory and all that is in it. */
    void remove(String path) throws IOException;

    /** Opens a file for reads at any place. */
    Places open(String path) throws IOException;

    @Override
    void close() throws IOException;

    /** An open file. */
    interface Places extends AutoCloseable {
        /** Fills a buffer with what is at that place. */
        void read(long position, byte[] buffer) throws IOException;

        /** Reads ranges of that length, each into a buffer of its own. */
        void readVectored(List<Long> positions, int length) throws IOException;

        @Override
        void close() throws IOException;
    }
}
