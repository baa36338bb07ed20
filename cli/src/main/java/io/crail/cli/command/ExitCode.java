// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import java.io.EOFException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** Exit codes of the command, documented in docs/cli.md. Append-only. */
public enum ExitCode {
    OK(0, "success"),
    FAILURE(1, "any other failure"),
    USAGE(2, "wrong options or arguments, or an invalid configuration"),
    NOT_FOUND(3, "no such path, key or local file"),
    EXISTS(4, "it exists already, is not empty, is in use, or a condition is not met"),
    NO_SPACE(5, "no space or quota left"),
    ACCESS(6, "access denied, or the namenode is read-only"),
    UNREACHABLE(7, "time over, server out of reach, busy or lost"),
    CORRUPT(8, "data differ from their checksums"),
    OUTPUT_CLOSED(141, "whoever read the output has gone, as after '| head'");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }

    /** The exit code for an error, by its class. */
    public static ExitCode of(Throwable error) {
        if (error instanceof CrailException crail) {
            return of(crail.code());
        }
        if (error instanceof CommandFailure failure) {
            return failure.exitCode();
        }
        if (error instanceof NoSuchFileException) {
            return NOT_FOUND;
        }
        if (error instanceof FileAlreadyExistsException
                || error instanceof DirectoryNotEmptyException) {
            return EXISTS;
        }
        if (error instanceof AccessDeniedException) {
            return ACCESS;
        }
        return error instanceof EOFException ? CORRUPT : FAILURE;
    }

    /** The exit code for an error of crail. */
    public static ExitCode of(ErrorCode code) {
        return switch (code) {
            case INVALID_ARGUMENT, INVALID_NAME -> USAGE;
            case NO_SUCH_NODE -> NOT_FOUND;
            case NODE_EXISTS, NOT_EMPTY, CONDITION_FAILED, LEASE_HELD -> EXISTS;
            case OUT_OF_SPACE, QUOTA_EXCEEDED -> NO_SPACE;
            case ACCESS_DENIED, READ_ONLY -> ACCESS;
            case TIMEOUT, SERVER_LOST, BUSY, SESSION_EXPIRED, CLOSED -> UNREACHABLE;
            case CORRUPT_DATA, STALE_REFERENCE -> CORRUPT;
            case PROTOCOL,
                    WRONG_NODE_TYPE,
                    LEASE_LOST,
                    OFFSET_OUT_OF_RANGE,
                    VERSION_MISMATCH,
                    CANCELLED,
                    STREAM_FAILED,
                    INTERNAL ->
                    FAILURE;
        };
    }
}
