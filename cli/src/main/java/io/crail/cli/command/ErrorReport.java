// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.cli.terminal.Colour;
import io.crail.cli.terminal.Console;
import io.crail.cli.terminal.OutputException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * One line for one error: {@code crail: WHAT: WHY; WHAT TO DO}. The stack follows only on request.
 */
final class ErrorReport {
    private ErrorReport() {}

    /** Prints the error and returns its exit code. */
    static ExitCode print(Console console, String what, Throwable error, boolean stack) {
        Throwable cause = unwrap(error);
        String line = (what.isEmpty() ? "" : what + ": ") + why(cause) + advice(cause);
        // First what came before. If that fails it is told at the end of the command.
        Optional<OutputException> ignored = console.outputFailure();
        console.err()
                .println(
                        console.paintError(Colour.BAD, "crail:")
                                + " "
                                + line.replace("\r", "").replace("\n", " "));
        if (stack) {
            cause.printStackTrace(console.err());
        }
        return ExitCode.of(cause);
    }

    private static Throwable unwrap(Throwable error) {
        Throwable cause = error.getCause();
        boolean wrapper =
                error instanceof CompletionException
                        || error instanceof ExecutionException
                        || error instanceof UncheckedIOException;
        return wrapper && cause != null ? unwrap(cause) : error;
    }

    private static String why(Throwable error) {
        String message = Optional.ofNullable(error.getMessage()).orElse("");
        if (error instanceof FileSystemException local) {
            return whyLocal(local) + ": " + local.getFile();
        }
        if (error instanceof IOException || error instanceof IllegalArgumentException) {
            return message.isEmpty() ? error.getClass().getSimpleName() : message;
        }
        return "internal error: " + error + "; please report it with the output of -v";
    }

    private static String whyLocal(FileSystemException error) {
        if (error instanceof NoSuchFileException) {
            return "no such local file";
        }
        if (error instanceof FileAlreadyExistsException) {
            return "local file exists, use -f to replace it";
        }
        if (error instanceof AccessDeniedException) {
            return "access to local file denied";
        }
        if (error instanceof DirectoryNotEmptyException) {
            return "local directory is not empty";
        }
        if (error instanceof NotDirectoryException) {
            return "not a local directory";
        }
        return Optional.ofNullable(error.getReason()).orElse("local file system failed");
    }

    private static String advice(Throwable error) {
        return error instanceof CrailException crail ? advice(crail.code()) : "";
    }

    /** What to do about errors whose remedy does not depend on the command. */
    private static String advice(ErrorCode code) {
        return switch (code) {
            case NO_SUCH_NODE -> "; 'crail fs ls' shows what there is";
            case WRONG_NODE_TYPE -> "; 'crail fs stat' shows its type, 'crail kv' reads tables";
            case NOT_EMPTY -> "; 'crail fs rm -r' removes it with its content";
            case OUT_OF_SPACE -> "; 'crail fs df' shows who is full";
            case SERVER_LOST ->
                    "; 'crail cluster status' and 'crail fs df' show which servers live";
            case TIMEOUT -> "; does it run ('crail cluster status')? --timeout allows more time";
            case LEASE_HELD -> "; wait until its writer has closed it";
            case CORRUPT_DATA -> "; the data are damaged: write them again";
            case READ_ONLY -> "; see the log of the namenode";
            default -> "";
        };
    }
}
