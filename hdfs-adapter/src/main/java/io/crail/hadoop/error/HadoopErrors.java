// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.error;

import io.crail.error.CrailException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/**
 * The exceptions that Hadoop's specification of a file system names, made of the client's. The
 * client's exception is always the cause, so that its code and its message are not lost.
 */
public final class HadoopErrors {
    private HadoopErrors() {}

    /**
     * The exception for a failure that means the same whatever the operation.
     *
     * @param path what the operation was about
     */
    public static IOException of(CrailException failure, String path) {
        String message = String.valueOf(failure.getMessage());
        return switch (failure.code()) {
            case NO_SUCH_NODE -> missing(path, failure);
            case NODE_EXISTS -> because(new FileAlreadyExistsException(message), failure);
            case NOT_EMPTY -> because(new PathIsNotEmptyDirectoryException(path), failure);
            case WRONG_NODE_TYPE -> notAFile(path, failure);
            case ACCESS_DENIED -> because(new AccessControlException(message), failure);
            case OUT_OF_SPACE, QUOTA_EXCEEDED ->
                    because(new ClusterStorageCapacityExceededException(message), failure);
            case OFFSET_OUT_OF_RANGE -> because(new EOFException(message), failure);
            case CANCELLED -> because(new InterruptedIOException(message), failure);
            case INVALID_NAME -> new PathIOException(path, message, failure);
            default -> failure;
        };
    }

    /** There is nothing at a path. */
    public static FileNotFoundException missing(String path, CrailException failure) {
        return because(new FileNotFoundException("File does not exist: " + path), failure);
    }

    /** What is at a path has no bytes to read or write. */
    public static FileNotFoundException notAFile(String path, CrailException failure) {
        return because(new FileNotFoundException("Path is not a file: " + path), failure);
    }

    /** As {@link #notAFile(String, CrailException)}, found out without the client. */
    public static FileNotFoundException notAFile(String path) {
        return new FileNotFoundException("Path is not a file: " + path);
    }

    /** Something on the way to a path holds no other nodes. */
    public static ParentNotDirectoryException parentIsNoDirectory(CrailException failure) {
        return because(
                new ParentNotDirectoryException(String.valueOf(failure.getMessage())), failure);
    }

    /** A path is taken by something that must not be replaced. */
    public static FileAlreadyExistsException exists(CrailException failure) {
        return because(
                new FileAlreadyExistsException(String.valueOf(failure.getMessage())), failure);
    }

    private static <E extends IOException> E because(E exception, CrailException cause) {
        exception.initCause(cause);
        return exception;
    }
}
