// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** As {@link RemoteWrite}, for local files. */
final class LocalWrite {
    /** Fills a file. */
    @FunctionalInterface
    interface Source {
        /** Writes everything to the file; does not close it. */
        void writeTo(FileChannel out) throws IOException;
    }

    private final Invocation invocation;
    private final boolean replace;

    LocalWrite(Invocation invocation, boolean replace) {
        this.invocation = invocation;
        this.replace = replace;
    }

    void write(Path target, Source source) throws IOException {
        refuseExisting(target);
        Path temporary =
                target.resolveSibling(
                        String.format(".crail-%016x", ThreadLocalRandom.current().nextLong()));
        Leftovers.Removal removal =
                invocation.leftovers().add(() -> Files.deleteIfExists(temporary));
        try {
            try (FileChannel out =
                    FileChannel.open(
                            temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                source.writeTo(out);
            }
            refuseExisting(target);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
            invocation.leftovers().forget(removal);
        }
    }

    private void refuseExisting(Path target) throws FileAlreadyExistsException {
        if (!replace && Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(target.toString());
        }
    }
}
