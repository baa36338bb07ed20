// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The directory tree to copy: its directories, parents first, and its regular files, without the
 * output of builds and version control. Paths are relative to the root.
 *
 * @param root the directory
 * @param directories its directories, itself not among them
 * @param files its files
 * @param bytes of all files together
 */
record SourceTree(Path root, List<Path> directories, List<Path> files, long bytes) {
    private static final Set<String> EXCLUDED = Set.of("target", ".git");

    static SourceTree of(Path root) throws IOException {
        List<Path> directories = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        long[] bytes = new long[1];
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) {
                        if (directory.equals(root)) {
                            return FileVisitResult.CONTINUE;
                        }
                        if (EXCLUDED.contains(directory.getFileName().toString())) {
                            return FileVisitResult.SKIP_SUBTREE;
                        }
                        directories.add(root.relativize(directory));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        boolean excluded = EXCLUDED.contains(file.getFileName().toString());
                        if (attributes.isRegularFile() && Files.isReadable(file) && !excluded) {
                            files.add(root.relativize(file));
                            bytes[0] += attributes.size();
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException error) {
                        return FileVisitResult.CONTINUE;
                    }
                });
        return new SourceTree(root, List.copyOf(directories), List.copyOf(files), bytes[0]);
    }
}
