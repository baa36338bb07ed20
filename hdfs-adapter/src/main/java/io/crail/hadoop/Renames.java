// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop;

import io.crail.client.CrailClient;
import io.crail.client.RenameOption;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.PathIOException;

/**
 * The two renames of Hadoop. Both are atomic, and one round trip when nothing is in the way; what
 * was in the way is looked at afterwards.
 *
 * @param client what moves the nodes
 */
record Renames(CrailClient client) {
    /**
     * As a shell does it: into a directory that exists, else to the name.
     *
     * @return false if there is nothing to move, the target is taken or has no parent, or lies
     *     below the source
     */
    boolean move(String source, String target) throws IOException {
        try {
            if (source.equals("/")) {
                return false;
            }
            if (source.equals(target)) {
                return isFile(source);
            }
            if (target.equals("/")) {
                return moveInto(source, target);
            }
            client.rename(source, target);
            return true;
        } catch (CrailException e) {
            if (e.code() == ErrorCode.NODE_EXISTS) {
                return isDirectory(target) && moveInto(source, target);
            }
            return refused(e, target);
        }
    }

    /** To where it is already: success for a file, refused for a directory, as with HDFS. */
    private boolean isFile(String path) throws CrailException {
        Optional<NodeStatus> found = client.lookup(path);
        return found.isPresent() && !found.get().type().isContainer();
    }

    private boolean isDirectory(String path) throws IOException {
        try {
            Optional<NodeStatus> found = client.lookup(path);
            return found.isPresent() && found.get().type().isContainer();
        } catch (CrailException e) {
            throw HadoopErrors.of(e, path);
        }
    }

    private boolean moveInto(String source, String directory) throws IOException {
        String name = source.substring(source.lastIndexOf('/') + 1);
        String target = directory.equals("/") ? "/" + name : directory + "/" + name;
        try {
            if (target.equals(source)) {
                return isFile(source);
            }
            client.rename(source, target);
            return true;
        } catch (CrailException e) {
            return e.code() != ErrorCode.NODE_EXISTS && refused(e, target);
        }
    }

    private static boolean refused(CrailException failure, String target) throws IOException {
        return switch (failure.code()) {
            case NO_SUCH_NODE, INVALID_ARGUMENT -> false;
            case WRONG_NODE_TYPE -> throw HadoopErrors.parentIsNoDirectory(failure);
            default -> throw HadoopErrors.of(failure, target);
        };
    }

    /**
     * To exactly this name, or not at all.
     *
     * @param overwrite whether a file, or an empty directory, is replaced by another one
     */
    void moveExactly(String source, String target, boolean overwrite) throws IOException {
        try {
            if (source.equals(target)) {
                client.status(source);
                throw new FileAlreadyExistsException(
                        "The source " + source + " and destination " + target + " are the same");
            }
            if (overwrite) {
                client.rename(source, target, RenameOption.REPLACE);
            } else {
                client.rename(source, target);
            }
        } catch (CrailException e) {
            if (e.code() == ErrorCode.WRONG_NODE_TYPE) {
                throw ofOtherType(e, target);
            }
            throw HadoopErrors.of(e, e.code() == ErrorCode.NO_SUCH_NODE ? source : target);
        }
    }

    /** Either the target is of another type, or its parent holds no other nodes. */
    private IOException ofOtherType(CrailException failure, String target) throws IOException {
        try {
            Optional<NodeStatus> found = client.lookup(target);
            return found.isPresent()
                    ? new PathIOException(
                            target,
                            "source and destination both should be either file or directory;"
                                    + " the destination is a "
                                    + kind(found.get().type()),
                            failure)
                    : HadoopErrors.parentIsNoDirectory(failure);
        } catch (CrailException e) {
            throw HadoopErrors.of(e, target);
        }
    }

    private static String kind(NodeType type) {
        return type.isContainer() ? "directory" : "file";
    }
}
