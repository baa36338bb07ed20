// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.InternalException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Another process at the other end of raw sockets, as crail's servers are other processes, and
 * mapped memory that both share. Thread-safe.
 */
public final class Peer implements AutoCloseable {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long PATIENCE_SECONDS = 5;

    private final Process process;
    private final MappedByteBuffer memory;
    private final Path socket;
    private final int port;

    private Peer(Process process, MappedByteBuffer memory, Path socket, int port) {
        this.process = process;
        this.memory = memory;
        this.socket = socket;
        this.port = port;
    }

    /**
     * Starts the process.
     *
     * @param bytes of mapped memory, each page of it touched
     */
    public static Peer start(int bytes) throws IOException {
        Path parent =
                Files.isWritable(SHARED_MEMORY)
                        ? SHARED_MEMORY
                        : Path.of(System.getProperty("java.io.tmpdir"));
        Path file = Files.createTempFile(parent, "crail-bench", ".memory");
        // Both sides have it mapped in the end, and need its name no longer.
        try {
            MappedByteBuffer memory = map(file, bytes);
            // In a directory that only this user may enter; the process removes it.
            Path socket = Files.createTempDirectory("crail-bench").resolve("peer");
            Process process =
                    new ProcessBuilder(command(file, socket))
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean serves = false;
            try {
                BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
                String line = out.readLine();
                if (line == null) {
                    throw new InternalException("the peer process of the limits did not start");
                }
                Peer peer = new Peer(process, memory, socket, Integer.parseInt(line));
                serves = true;
                return peer;
            } finally {
                if (!serves) {
                    process.destroyForcibly();
                }
            }
        } finally {
            Files.delete(file);
        }
    }

    private static List<String> command(Path file, Path socket) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xms32m",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                PeerMain.class.getName(),
                file.toString(),
                socket.toString());
    }

    private static MappedByteBuffer map(Path file, int bytes) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            for (int i = 0; i < bytes; i += Long.BYTES) {
                memory.putLong(i, i * 0x9E3779B97F4A7C15L);
            }
            return memory;
        }
    }

    /** The process, for confining it to a core. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** The mapped memory, with positions of its own. */
    ByteBuffer memory() {
        return memory.duplicate();
    }

    /** Where it listens. */
    public Door door(boolean unixSocket) {
        return unixSocket ? new Door(0, socket.toString()) : new Door(port, "");
    }

    /** A blocking TCP connection over which the peer does that work. The caller closes it. */
    SocketChannel connect(PeerWork work) throws IOException {
        return door(false).connect(work);
    }

    /** Ends the process. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
