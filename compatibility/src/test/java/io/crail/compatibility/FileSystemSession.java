// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.VersionInfo;

/**
 * What a program does with a file system, and nothing but Hadoop's and the JDK's classes, so that
 * any class loader that has Hadoop may run it. From the URI of a cluster to an account of what was
 * seen.
 */
public final class FileSystemSession implements Function<URI, String> {
    /** Called by the class loader's owner. */
    public FileSystemSession() {}

    @Override
    public String apply(URI cluster) {
        try (FileSystem fs = FileSystem.newInstance(cluster, new Configuration())) {
            Path directory = new Path("/session");
            Path file = new Path(directory, "a/file");
            try (FSDataOutputStream out = fs.createFile(file).recursive().build()) {
                out.write("0123456789".getBytes(UTF_8));
                out.hsync();
            }
            try (FSDataOutputStream out = fs.append(file)) {
                out.write("abc".getBytes(UTF_8));
            }
            fs.rename(file, new Path(directory, "b"));
            String seen =
                    "Hadoop "
                            + VersionInfo.getVersion()
                            + ", "
                            + fs.getClass().getName()
                            + ", "
                            + read(fs, new Path(directory, "b"))
                            + ", "
                            + fs.getFileChecksum(new Path(directory, "b")).getAlgorithmName()
                            + ", "
                            + context(cluster, directory)
                            + ", shell "
                            + shell(fs.getUri());
            fs.delete(directory, true);
            return seen + ", left " + fs.exists(directory);
        } catch (IOException | ExecutionException e) {
            throw new IllegalStateException("the session failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the session was interrupted", e);
        }
    }

    private static String read(FileSystem fs, Path path)
            throws IOException, ExecutionException, InterruptedException {
        List<FileRange> ranges =
                List.of(FileRange.createFileRange(1, 2), FileRange.createFileRange(9, 4));
        StringBuilder read = new StringBuilder();
        try (FSDataInputStream in =
                fs.openFile(path)
                        .opt(Options.OpenFileOptions.FS_OPTION_OPENFILE_READ_POLICY, "vector")
                        .build()
                        .get()) {
            in.readVectored(ranges, ByteBuffer::allocate);
            for (FileRange each : ranges) {
                read.append(UTF_8.decode(each.getData().get())).append(' ');
            }
            return read + new String(in.readAllBytes(), UTF_8);
        }
    }

    private static String context(URI cluster, Path directory) throws IOException {
        FileContext context = FileContext.getFileContext(cluster, new Configuration());
        return context.getDefaultFileSystem().getClass().getName()
                + " of "
                + context.util().listStatus(directory).length;
    }

    private static int shell(URI cluster) {
        Configuration configuration = new Configuration();
        configuration.set("fs.defaultFS", cluster.toString());
        FsShell shell = new FsShell(configuration);
        try {
            return shell.run(new String[] {"-test", "-e", "/session/b"});
        } catch (Exception e) { // that is what the shell declares
            throw new IllegalStateException("the shell failed", e);
        }
    }
}
