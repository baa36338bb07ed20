// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.statistics.FileSystemCounters;
import io.crail.hadoop.stream.CrailFsOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.DataChecksum;
import org.jspecify.annotations.Nullable;

/**
 * Makes files and directories, and opens files to append. A create is one round trip, with its
 * parents and with what it replaces.
 *
 * @param client where they are made
 * @param counters of the file system
 */
record Creation(CrailClient client, FileSystemCounters counters) {
    /**
     * How a file is made.
     *
     * @param permission as it shall be, the mask applied
     * @param overwrite whether an existing file is replaced
     * @param parents whether missing parents are made
     * @param checksums what the caller says of checksums, or null
     */
    record Wish(
            FsPermission permission,
            boolean overwrite,
            boolean parents,
            @Nullable ChecksumOpt checksums) {
        CreateOptions toOptions() {
            CreateOptions.Builder options =
                    CreateOptions.builder()
                            .mode(permission.toShort())
                            .overwrite(overwrite)
                            .parents(parents);
            if (checksums != null && checksums.getChecksumType() == DataChecksum.Type.NULL) {
                options.checksums(false);
            }
            return options.build();
        }
    }

    /** Makes a file, or replaces one atomically. */
    FSDataOutputStream create(String path, Wish wish) throws IOException {
        try {
            CrailOutputStream stream = client.createFile(path, wish.toOptions());
            return new FSDataOutputStream(
                    new CrailFsOutputStream(stream, node -> remove(path, node), counters),
                    counters.ofScheme());
        } catch (CrailException e) {
            throw switch (e.code()) {
                case WRONG_NODE_TYPE -> ofOtherType(e, path);
                case NOT_EMPTY -> HadoopErrors.exists(e);
                default -> HadoopErrors.of(e, path);
            };
        }
    }

    /** Either there is a directory, or the parent holds no other nodes. */
    private IOException ofOtherType(CrailException failure, String path) throws IOException {
        try {
            return client.lookup(path).isPresent()
                    ? HadoopErrors.exists(failure)
                    : HadoopErrors.parentIsNoDirectory(failure);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    /** Removes a file unless its name is another one's by now. */
    private void remove(String path, long node) throws IOException {
        try {
            if (client.lookup(path).filter(found -> found.id() == node).isPresent()) {
                client.delete(path, false);
            }
        } catch (CrailException e) {
            if (e.code() != ErrorCode.NO_SUCH_NODE) {
                throw HadoopErrors.of(e, path);
            }
        }
    }

    /** Opens a file for writing at its end. */
    FSDataOutputStream append(String path) throws IOException {
        try {
            CrailOutputStream stream = client.append(path);
            return new FSDataOutputStream(
                    new CrailFsOutputStream(stream, null, counters),
                    counters.ofScheme(),
                    stream.position());
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    /** As the flags of a create say, which were found to go together. */
    FSDataOutputStream byFlags(String path, EnumSet<CreateFlag> flags, Wish wish)
            throws IOException {
        boolean create = flags.contains(CreateFlag.CREATE);
        if (flags.contains(CreateFlag.APPEND)) {
            try {
                return append(path);
            } catch (FileNotFoundException e) {
                if (!create || exists(path)) {
                    throw e;
                }
            }
        } else if (!create && !exists(path)) {
            throw new FileNotFoundException(
                    "File does not exist: " + path + "; the flags say to overwrite it");
        }
        return create(path, wish);
    }

    private boolean exists(String path) throws IOException {
        try {
            return client.lookup(path).isPresent();
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    /** Makes a directory; with missing parents it is success if it is there. */
    void mkdir(String path, FsPermission permission, boolean parents) throws IOException {
        CreateOptions options =
                CreateOptions.builder()
                        .mode(permission.toShort())
                        .parents(parents)
                        .existingOk(parents)
                        .build();
        try {
            client.mkdir(path, options);
        } catch (CrailException e) {
            throw e.code() == ErrorCode.WRONG_NODE_TYPE
                    ? HadoopErrors.parentIsNoDirectory(e)
                    : HadoopErrors.of(e, path);
        }
    }
}
